/** Limits of the platform. A sandbox can be given lower ones, so that a test reaches them quickly. */
export interface Limits {
  readonly perPage: number;
  readonly pullCommits: number;
  readonly pullFiles: number;
  readonly compareFiles: number;
  readonly commitFiles: number;
  readonly treeEntries: number;
  readonly textCharacters: number;
  readonly checkTextCharacters: number;
  readonly annotations: number;
  readonly checkRunsOfAName: number;
  readonly statusesOfAContext: number;
  readonly statusDescription: number;
  readonly blobTextBytes: number;
  readonly hourlyInstallation: number;
  readonly hourlyWorkflow: number;
  readonly hourlyUser: number;
  readonly hourlyAnonymous: number;
  readonly pointsPerMinute: number;
  readonly graphqlPointsPerMinute: number;
  readonly contentPerMinute: number;
  readonly contentPerHour: number;
  readonly concurrent: number;
  readonly deliveryTimeout: number;
  readonly deliveryBytes: number;
}

export const GITHUB_LIMITS: Limits = {
  perPage: 100, // REST docs, "Using pagination"
  pullCommits: 250, // description, "List commits on a pull request"
  pullFiles: 3000, // description, "List pull requests files"
  compareFiles: 300, // description, "Compare two commits": files on the first page, 300 in all
  commitFiles: 3000, // description, "Get a commit"
  treeEntries: 100_000, // description, "Get a tree"
  textCharacters: 65_536, // error text "body is too long (maximum is 65536 characters)"
  checkTextCharacters: 65_535, // description, "Create a check run"
  annotations: 50, // description, "Create a check run"
  checkRunsOfAName: 1000, // description, "Create a check run": older ones are deleted
  statusesOfAContext: 1000, // description, "Create a commit status"
  statusDescription: 140, // error text "description is too long (maximum is 140 characters)"
  blobTextBytes: 512_000, // GraphQL's `isTruncated`; not documented, seen by others
  hourlyInstallation: 5000, // REST docs, "Rate limits for the REST API"; also the next three
  hourlyWorkflow: 1000,
  hourlyUser: 5000,
  hourlyAnonymous: 60,
  pointsPerMinute: 900, // REST docs, "About secondary rate limits"; also the next four
  graphqlPointsPerMinute: 2000,
  contentPerMinute: 80,
  contentPerHour: 500,
  concurrent: 100,
  deliveryTimeout: 10_000, // webhooks docs, "Best practices": milliseconds
  deliveryBytes: 25 * 1024 * 1024, // webhooks docs, "Webhook events and payloads"
};
