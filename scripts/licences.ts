// The licences of the packages that a bundle contains.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';

const PACKAGE_FOLDER = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;
const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;

/** Folders of the packages of which something went into an output. */
export function packagesOf(metafile: Pick<Metafile, 'outputs'>): Set<string> {
  const folders = new Set<string>();
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = PACKAGE_FOLDER.exec(path)?.[0];
      if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
    }
  }
  return folders;
}

/** One text with name, version, licence and licence texts of each package. */
export async function licences(root: string, folders: Iterable<string>): Promise<string> {
  const sections: string[] = [];
  for (const folder of [...folders].sort()) {
    const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as {
      name: string;
      version: string;
      license?: string;
    };
    const names = (await readdir(join(root, folder))).filter((name) => LICENCE_FILE.test(name)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(root, folder, name), 'utf8')));
    if (texts.length === 0) texts.push(...(await licenceInReadme(join(root, folder))));
    if (texts.length === 0) throw new Error(`${folder} ships no licence text: it cannot be bundled.`);
    const title = `${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})`;
    sections.push([title, '', ...texts.map((text) => text.replaceAll('\r\n', '\n').trim())].join('\n'));
  }
  return `${sections.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

/** Some packages have their licence as the last section of their README. One that is only named there is none. */
async function licenceInReadme(folder: string): Promise<string[]> {
  const name = (await readdir(folder)).find((one) => /^readme(\.md)?$/i.test(one));
  if (name === undefined) return [];
  const text = await readFile(join(folder, name), 'utf8');
  const section = /^#{1,3} licen[cs]e\s*$/im.exec(text);
  if (section === null) return [];
  const licence = text.slice(section.index + section[0].length).trim();
  return /copyright \(c\)/i.test(licence) && /permission is hereby granted/i.test(licence) ? [licence] : [];
}
