import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Deployments, saveDeployments } from '@svc/chain'
import { type SiteBuildOptions, siteBuild } from '../../scripts/dev/siteBuild.ts'
import { sharedSite } from './env.ts'

/** Builds the site for these contracts into a folder. */
export async function buildSite(deploymentsFile: string, folder: string, options?: SiteBuildOptions): Promise<void> {
  const { command, args, cwd, env } = siteBuild(deploymentsFile, folder, options)
  await promisify(execFile)(command, args, { cwd, env })
}

/**
 * Puts the site for these contracts into the folder `dist`, and the contracts beside it. A test run makes each build once and
 * copies it here; without a test run, it is built.
 */
export async function provideSite(
  deployments: Deployments,
  folder: string,
  options: SiteBuildOptions = {},
): Promise<void> {
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, deployments)
  const url = sharedSite.get()
  if (!url) return buildSite(file, join(folder, 'dist'), options)
  const { chainId, shared, markets, swapPool } = deployments
  // What the build reads, and nothing that differs from one chain to the next.
  const body = JSON.stringify({ deployments: { chainId, shared, markets, swapPool }, options })
  const response = await fetch(url, { method: 'POST', body })
  const answer = await response.text()
  if (!response.ok) throw new Error(answer)
  await cp(answer, join(folder, 'dist'), { recursive: true })
}
