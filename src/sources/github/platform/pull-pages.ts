import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { query, shaped } from '../../../github/graphql.ts';
import { NEEDS, pageQuery } from './pull-query.ts';
import type { ListPage, PullList } from './pull-query.ts';

/** A list as far as GitHub gives it. */
export interface WholeList<T> {
  readonly nodes: readonly T[];
  /** How many entries GitHub says there are. */
  readonly total: number;
  /** The head moved between two pages. */
  readonly moved: boolean;
}

const envelope = z.object({
  repository: z.object({ pullRequest: z.looseObject({ headRefOid: z.string() }) }),
});

/** The rest of a list, page by page. An empty page or one without a cursor ends it. */
export async function wholeList<T>(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  number: number,
  head: string,
  list: PullList<T>,
  first: ListPage<T> | null,
): Promise<WholeList<T>> {
  if (first === null) return { nodes: [], total: 0, moved: false };
  const nodes = [...first.nodes];
  let { pageInfo } = first;
  let moved = false;
  while (pageInfo.hasNextPage && pageInfo.endCursor !== null) {
    const variables = { owner, name: repo, number, [list.name]: pageInfo.endCursor };
    const { repository } = await query(api, pageQuery(list), variables, envelope, { needs: NEEDS });
    const { pullRequest } = repository;
    const page = shaped(list.shape, pullRequest[list.name], 'POST /graphql');
    moved ||= pullRequest.headRefOid !== head;
    if (page === null || page.nodes.length === 0) break;
    nodes.push(...page.nodes);
    pageInfo = page.pageInfo;
  }
  const given = nodes.flatMap((node) => (node === null ? [] : [node]));
  return { nodes: given, total: first.totalCount ?? nodes.length, moved };
}
