export { version } from '../domain/version.ts';
