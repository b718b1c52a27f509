import { isBlank, trim } from './text/trim.ts';

const DRIVE = /^[A-Za-z]:/;

/** Why a text is no project-relative path, or undefined where it is one. */
export function relativePathFault(text: unknown): string | undefined {
  if (typeof text !== 'string' || text === '') return 'must be a non-empty text';
  if (text.includes('\0')) return 'must not contain U+0000';
  if (trim(text) !== text) return 'must be without white space at its ends';
  if (text.includes('\\')) return "must be written with '/', not a backslash";
  if (text.startsWith('/')) return 'must be relative, not absolute';
  if (DRIVE.test(text)) return 'must be relative, without a drive letter';
  const bad = text.split('/').find((segment) => segment === '' || segment === '.' || segment === '..');
  return bad === undefined ? undefined : "must be without empty, '.' and '..' segments";
}

/** Why a text is no portable text (see the formats, section 3.5), or undefined; checked after trimming. */
export function portableTextFault(text: unknown, slash: 'slash' | 'no-slash' = 'slash'): string | undefined {
  if (typeof text !== 'string' || isBlank(text)) return 'must be a non-empty text';
  if (text.includes('\0')) return 'must not contain U+0000';
  const trimmed = trim(text);
  if (trimmed.includes('\\')) return 'must not contain a backslash';
  if (trimmed.startsWith('/')) return "must not start with '/'";
  if (DRIVE.test(trimmed)) return 'must not start with a letter and a colon (it reads as a drive)';
  if (trimmed.split('/').includes('..')) return "must not contain a '..' segment";
  return slash === 'no-slash' && trimmed.includes('/') ? "must not contain '/'" : undefined;
}
