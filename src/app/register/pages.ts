import { htmlText } from '../../render/escape.ts';

const attribute = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${htmlText(title)}</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:42em;margin:3em auto;padding:0 1em}button{font:inherit;padding:.5em 1em}</style>
<h1>${htmlText(title)}</h1>
${body}
</html>
`;
}

/** The page whose button sends the manifest to GitHub. */
export function startPage(action: string, manifest: { readonly default_permissions: object }): string {
  const rows = Object.entries(manifest.default_permissions).map(
    ([name, access]) => `<li>${htmlText(name.replaceAll('_', ' '))}: ${htmlText(String(access))}</li>`,
  );
  return page(
    'Register Countersign',
    `<p>GitHub will show you what the App asks for before anything is made:</p>
<ul>${rows.join('')}</ul>
<form method="post" action="${attribute(action)}">
<input type="hidden" name="manifest" value="${attribute(JSON.stringify(manifest))}">
<button type="submit">Go on to ${htmlText(new URL(action).host)}</button>
</form>`,
  );
}

export const donePage = (): string =>
  page('Registered', '<p>The App is registered, and its settings are written. Go back to the terminal.</p>');

export const faultPage = (what: string): string => page('Not registered', `<p>${htmlText(what)}</p>`);
