import { readFile } from 'node:fs/promises'
import { loadDeployments } from '@svc/chain'
import { type Command, InvalidArgumentError } from 'commander'
import { pino } from 'pino'
import { parseEther } from 'viem'
import { AdminError } from '../adminError.ts'
import { diagnose, doctorChecks } from '../doctor/doctor.ts'
import { createSystemContext, parseEnvFile } from '../doctor/systemContext.ts'
import { loadPlan } from '../plan/planFile.ts'
import { runWatcher } from '../watch/runWatcher.ts'
import { type AdminContext, type RpcOptions, requireRpcUrls, withRpc } from './shared.ts'

interface WatchCommand extends RpcOptions {
  plan: string
  deployments: string
  port: number
  host: string
  seconds: number
  judges: number
  overdue: number
  court: number
}

/** Adds `watch` and `doctor`. */
export function addOperateCommands(program: Command, context: AdminContext): void {
  const { print, environment } = context
  withRpc(program.command('watch'))
    .description(
      'Watches roles, pause, timelock, oracle, vaults, judges and due calls, with metrics and log lines that should page.',
    )
    .requiredOption('--plan <file>', 'the plan of the deployment')
    .requiredOption('--deployments <file>', 'the deployments file')
    .option('--port <number>', 'port for health and metrics', parseCount, 9_467)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--seconds <number>', 'time between looks', parseCount, 15)
    .option('--judges <number>', 'fewer free judges than this is an alarm', parseCount, 3)
    .option('--overdue <minutes>', 'a call that nobody has made for so long is an alarm', parseCount, 30)
    .option('--court <tok>', 'a case before the final court about less TOK wakes nobody', parseCount, 10_000)
    .action(async (options: WatchCommand) => {
      const [plan, deployments] = [await loadPlan(options.plan), await loadDeployments(options.deployments)]
      const { seconds, port, host } = options
      const stop = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
      await runWatcher({
        urls: requireRpcUrls(options, context),
        deployments,
        expected: {
          guardian: plan.guardian,
          timelock: deployments.shared.timelock,
          minJudges: options.judges,
          overdueSeconds: options.overdue * 60,
          courtGap: parseEther(String(options.court)),
        },
        seconds,
        port,
        host,
        log: pino({ base: null }),
        signal: stop.signal,
      })
    })

  program
    .command('doctor')
    .description('Looks for mistakes in a configuration: environment, files, chain, database, services.')
    .option('--offline', 'ask no provider, database or service', false)
    .option('--env-file <file>', 'read the variables from this file instead of the environment')
    .action(async ({ offline, envFile }: { offline: boolean; envFile?: string }) => {
      const given = envFile ? parseEnvFile(await readFile(envFile, 'utf8')) : environment
      const faults = await diagnose(await createSystemContext(given), { offline })
      if (faults.length > 0) throw new AdminError(faults.join('\n'))
      print(`${doctorChecks.filter(({ online }) => !offline || !online).length} checks, nothing found.`)
    })
}

function parseCount(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new InvalidArgumentError('Not a whole number.')
  return Number(text)
}
