// A module of its own, so that it can be loaded late.
export { rules } from '@secretlint/secretlint-rule-preset-recommend';
