import type { SecretScan } from '../sources/secrets/branch.ts';
import { workingCopySecrets } from '../sources/secrets/working-copy.ts';
import { isSwitchedOff } from './switches.ts';

/**
 * What a hook reports of a working copy: secret-bearing files and credentials in git's configuration. Switched off it
 * looks at nothing. A verdict has no such switch.
 * @param root absolute path of a folder of the working copy
 */
export async function hookSecrets(root: string, environment: NodeJS.ProcessEnv): Promise<SecretScan> {
  if (isSwitchedOff('secrets', environment)) return { secrets: { scanned: 'not', findings: [] }, unread: [] };
  return workingCopySecrets(root, environment);
}
