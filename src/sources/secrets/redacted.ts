import { loadMaintainedRules } from '../../checks/secrets/maintained-rules.ts';
import { isAtLeast } from '../../checks/secrets/match.ts';
import { redact, scanText } from '../../checks/secrets/scan.ts';
import type { Facts } from '../../gate/facts.ts';

/**
 * The same facts with every credential in messages, title and body replaced, so that neither what is recorded nor any
 * report made of it carries one.
 */
export async function redactedFacts(facts: Facts): Promise<Facts> {
  const commits: Facts['commits'] = [];
  for (const commit of facts.commits) {
    const message = await redactedText(commit.message);
    const author = await redactedIdentity(commit.author);
    const committer = await redactedIdentity(commit.committer);
    commits.push({ ...commit, message, author, committer });
  }
  const { title, body } = facts.subject;
  const subject = { ...facts.subject, title: await redactedText(title), body: await redactedText(body) };
  return { ...facts, subject, commits };
}

async function redactedIdentity<T extends { readonly name: string; readonly email: string }>(identity: T): Promise<T> {
  const name = await redactedText(identity.name);
  const email = await redactedText(identity.email);
  return name === identity.name && email === identity.email ? identity : { ...identity, name, email };
}

// Only where there is a finding: else words could be hidden from other checks behind what looks like a placeholder.
async function redactedText(text: string): Promise<string> {
  if (text === '' || !(await scanText(text)).some(({ confidence }) => isAtLeast(confidence, 'likely'))) return text;
  return redact(text, await loadMaintainedRules());
}
