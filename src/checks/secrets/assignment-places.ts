// Where a value without quotes is a setting rather than an expression of a program.

/** Whether nothing but what opens a setting stands before a place on its line. */
export function startsLine(text: string, at: number): boolean {
  return /(?:^|[\r\n])[ \t+]{0,20}(?:export[ \t]{1,4}|ENV[ \t]{1,4}|ARG[ \t]{1,4}|- )?$/.test(
    text.slice(Math.max(0, at - 32), at),
  );
}

/** `db.password=…` as files of properties have it; not `this.password=first2`, nor anything with blanks: so programs assign. */
export function isProperty(
  name: string,
  value: string,
  text: string,
  nameStart: number,
  gap: string,
  start: number,
): boolean {
  if (gap !== '=' || !/^[a-z][a-z\d.-]{0,100}$/.test(name) || /^(?:this|self)\./.test(name)) return false;
  if (
    !startsLine(text, nameStart) ||
    !/^[ \t]{0,8}(?:\r?\n|\r|$)/.test(text.slice(start + value.length, start + value.length + 12))
  )
    return false;
  if (name.includes('.')) return /\d/.test(value) && /\p{L}/u.test(value);
  // A variable's name may end with digits, but has none among its letters, and no other signs.
  return /\p{L}[\d@#%^&!+*-]+\p{L}/u.test(value);
}

/** In a connection string, a URL's query or a command: `Server=db;Password=…`, `?user=a&password=…`, `--password=…`. */
export function isParameter(value: string, text: string, nameStart: number, gap: string): boolean {
  if (gap !== '=') return false;
  if (text.startsWith('--', nameStart)) return /\d/.test(value);
  const before = text.slice(Math.max(0, nameStart - 240), nameStart);
  return (
    /(?:server|data source|host|user ?id|uid|user(?:name)?|endpoint|accountname)=[^;\r\n]{1,100};(?:[^\r\n"']{0,100};)?[ ]?$/i.test(
      before,
    ) || /:\/\/[^\s"'<>]{1,200}[?&;]$/.test(before)
  );
}
