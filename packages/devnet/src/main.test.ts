import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { loadLocalDeployments } from '@svc/chain'
import { markets } from '@svc/protocol'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevnetClient } from './client.ts'
import { countTasks, createScene } from './scene.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const run = promisify(execFile)
let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'devnet-'))
})
afterAll(() => rm(directory, { recursive: true }))

test('--help prints the options and starts nothing', async () => {
  const { stdout } = await run(process.execPath, [main, '--help'])
  expect(stdout).toContain('--no-world')
})

test('exits with a reason for an invalid option', async () => {
  await expect(run(process.execPath, [main, '--tasks', 'many'])).rejects.toThrow(
    '--tasks: "many" is not a whole number',
  )
})

test('runs until it is interrupted and cleans up', async () => {
  const file = join(directory, 'deployments.json')
  const child = spawn(process.execPath, [main, '--no-world', '--port', '0', '--tasks', '4', '--deployments', file])
  const exited = once(child, 'exit')
  let output = ''
  const ready = new Promise<void>((resolve) => {
    child.stdout.on('data', (text) => {
      output += text
      if (output.includes('Ready in')) resolve()
    })
  })
  await Promise.race([ready, exited])
  const deployments = await loadLocalDeployments(file)
  const client = createDevnetClient(deployments.rpcUrl)
  for (const market of markets) expect(await countTasks(createScene(client, deployments, market))).toBe(2)
  expect(output).toContain(deployments.markets.micro.taskRegistry)

  child.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  expect(existsSync(file)).toBe(false)
  await expect(fetch(deployments.rpcUrl)).rejects.toThrow()
})
