import { isRefusal } from '../domain/errors.ts';
import { publishStatus, STATUS_CONTEXT } from '../publish/status.ts';
import type { Session } from './session.ts';

/**
 * Takes back a good status of a head whose pull request was given another base: the rules may be other ones now, and
 * nothing else says so until the verdict is there. Where it cannot be written the verdict could not be, either.
 */
export async function holdStatus(session: Session, sha: string): Promise<void> {
  const { api, repository, inputs, runner } = session;
  if (inputs.publish === 'none' || inputs.publish === 'check') return;
  try {
    const { data } = await api.request('GET /repos/{owner}/{repo}/commits/{ref}/statuses', {
      ...{ ...repository, ref: sha, per_page: 100 },
    });
    if (data.find(({ context }) => context === STATUS_CONTEXT)?.state !== 'success') return;
    const description = 'UNVERIFIED, waiting: the base branch was changed, and is being judged against.';
    const status = { state: 'pending', description } as const;
    await publishStatus({ api, repository, sha, status, targetUrl: runner.runUrl });
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    session.remark({ level: 'warning', text: `${thrown.code} ${thrown.message}` });
  }
}
