export { bounded, line, visible, visibleLines } from '../domain/text/visible.ts';
