import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('../../apps/site', import.meta.url))

/** The command that builds the web site for the contracts of a deployments file into a folder. */
export function siteBuild(deploymentsFile: string, folder: string) {
  return {
    command: process.execPath,
    args: [`${site}/node_modules/vite/bin/vite.js`, 'build', '--logLevel', 'error'],
    cwd: site,
    env: { SVC_DEPLOYMENTS: deploymentsFile, SVC_SITE_DIR: folder },
  }
}
