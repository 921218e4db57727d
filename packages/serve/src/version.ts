import manifest from '../package.json' with { type: 'json' }

/** The version of this release. Every process writes it to its log when it starts. */
export const version: string = manifest.version
