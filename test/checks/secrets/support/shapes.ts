/** Joins pieces: texts in the shape of secrets never stand in the sources as a whole. */
export const join = (...pieces: string[]): string => pieces.join('');

export const GITHUB = join('gh', 'p_', 'q7Rk', '2mZx9Wb4TnV8', 'cLd3HsY6fJp5', 'GaE1uKo0');
export const HEADER = join('-----BEGIN', ' RSA PRIV', 'ATE KEY-----');
export const FOOTER = join('-----END', ' RSA PRIV', 'ATE KEY-----');
