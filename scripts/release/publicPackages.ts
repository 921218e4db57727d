/** The libraries that npm gets, dependencies first. */
export const libraries = [
  'packages/protocol',
  'packages/operations',
  'packages/client',
  'packages/work',
  'packages/agent',
  'packages/transport-xmtp',
] as const

/** Everything that npm gets. */
export const publicPackages = [...libraries, 'apps/tools'] as const
