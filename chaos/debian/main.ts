// pnpm chaos debian: executes docs/debian.md literally, command by command, in an empty Debian 12 with systemd, as root on Debian. It ends
// with a market behind TLS whose alert fires when the chain stops and is over when the chain goes on. Only what a test cannot have is
// replaced: a certificate from a public authority (a fake certbot asks a test authority), and an editor that nobody sits at.

import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { saveDeployments } from '@svc/chain'
import { startDemoWorld } from '../../test/harness/demoWorld.ts'
import { waitUntil } from '../shared/replica.ts'
import { parseOptions, runEach, runSuite } from '../shared/suite.ts'
import { createSwitchableProxy } from '../shared/switchableProxy.ts'
import { bootDebian, hostAddress } from './container.ts'

const run = promisify(execFile)
const options = parseOptions({})
const repository = fileURLToPath(new URL('../../', import.meta.url))
const name = 'market.test'
const minute = 60_000

await runSuite(options, startPlace, (place) =>
  runEach([{ name: 'the page', rerun: 'pnpm chaos debian', play: () => followPage(place) }]),
)

/** A container, and a chain with three providers that can be switched off. */
async function startPlace() {
  const world = await startDemoWorld()
  const container = await bootDebian(process.env.NODE_EXTRA_CA_CERTS ?? '')
  const providers = await Promise.all([1, 2, 3].map(() => createSwitchableProxy(world.devnet.rpcUrl)))
  await Promise.all(providers.map(({ open }) => open()))
  const miner = setInterval(() => void world.devnet.client.mine({ blocks: 1 }).catch(() => {}), 2_000)
  const stop = async () => {
    clearInterval(miner)
    await container.stop()
    await Promise.all(providers.map(({ close }) => close().catch(() => {})))
    await world.devnet.stop()
  }
  return { world, container, providers, stop }
}

async function followPage({ world, container, providers }: Awaited<ReturnType<typeof startPlace>>) {
  const { root } = container
  const began = Date.now()
  await run('git', ['clone', '--quiet', '--bare', repository, join(root, 'source.git')])
  await container.run('sh', '-c', 'printf "[safe]\\n\\tdirectory = *\\n" > /root/.gitconfig')
  await saveDeployments(join(root, 'deployments.json'), world.devnet.deployments)
  const urls = providers.map(({ url }) => url.replace('127.0.0.1', hostAddress).replace(/\/$/, ''))
  await mkdir(join(root, 'usr/local/bin'), { recursive: true })
  await writeFile(join(root, 'usr/local/bin/fill-settings'), fillSettings(urls.join()), { mode: 0o755 })
  const page = await readFile(join(repository, 'docs/debian.md'), 'utf8')
  const known: Record<string, string> = {
    '<this repository>': '/source.git',
    '<the file with the contract addresses>': '/deployments.json',
    '<your name>': name,
  }
  const commands = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) =>
    Object.entries(known).reduce((text, [placeholder, value]) => text.replaceAll(placeholder, value), block),
  )
  const times: string[] = []
  for (const [index, block] of commands.entries()) {
    // Between two blocks: certbot is there, but no public authority can reach this machine.
    if (block.includes('certbot certonly')) await installFakeCertbot(root)
    const started = Date.now()
    // A block goes on where the one before it ended.
    await container.run('bash', '-ec', `cd /opt/task-market 2>/dev/null || cd /; export EDITOR=fill-settings\n${block}`)
    times.push(`block ${index + 1} ${Math.round((Date.now() - started) / 1_000)} s`)
  }
  const readPage = (path: string) =>
    container.run(
      'curl',
      '-fsS',
      '--cacert',
      '/root/authority.pem',
      '--resolve',
      `${name}:443:127.0.0.1`,
      `https://${name}${path}`,
    )
  await waitUntil('the market is served with TLS', minute, async () => (await readPage('/')).includes('<title>'))
  await waitUntil('the index answers', minute, async () =>
    (await readPage('/api/market/open')).includes('"path":"index"'),
  )
  const servingMs = Date.now() - began

  // It is killed, and systemd starts it again.
  await container.run('systemctl', 'kill', '--signal=KILL', 'task-market')
  const killed = Date.now()
  await waitUntil('it answers again', minute, async () =>
    (await readPage('/api/market/open')).includes('"path":"index"'),
  )
  const againMs = Date.now() - killed

  const hasAlert = async () => {
    const alerts = await container.run('curl', '-fsS', 'http://127.0.0.1:9093/api/v2/alerts?active=true')
    return alerts.includes('SvcApiChainUnreachable')
  }
  await Promise.all(providers.map(({ close }) => close()))
  const firedMs = await waitUntil('the alert fires', 10 * minute, hasAlert)
  await Promise.all(providers.map(({ open }) => open()))
  const clearMs = await waitUntil('the alert is over', 15 * minute, async () => !(await hasAlert()))
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return {
    text: `serving after ${seconds(servingMs)} (${times.join(', ')}); again ${seconds(againMs)} after SIGKILL; alert ${seconds(firedMs)} after the chain stopped, over ${seconds(clearMs)} after it went on`,
  }
}

/** Sets what the page says that an operator sets in an editor. */
function fillSettings(urls: string): string {
  return `#!/bin/sh
sed -i -e 's|^SVC_SITE_URL=.*|SVC_SITE_URL=https://${name}|' -e 's|^CHAIN_RPC_URL=.*|CHAIN_RPC_URL=${urls}|' "$1"
`
}

/** A fake certbot: it puts a certificate of a test authority where the real one puts that of a public one. */
async function installFakeCertbot(root: string): Promise<void> {
  const live = `/etc/letsencrypt/live/${name}`
  await writeFile(
    join(root, 'usr/local/bin/certbot'),
    `#!/bin/sh
set -e
mkdir -p ${live}
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -subj /CN=${name} -addext subjectAltName=DNS:${name} \\
  -keyout ${live}/privkey.pem -out ${live}/fullchain.pem
cp ${live}/fullchain.pem /root/authority.pem
`,
    { mode: 0o755 },
  )
}
