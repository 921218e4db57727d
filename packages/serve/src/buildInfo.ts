import { version } from './version.ts'

interface GaugeOptions {
  name: string
  help: string
  labelNames: 'version'[]
}

/** Says in the metrics of an app which version runs. The gauge is one of prom-client, which only apps depend on. */
export function recordBuildInfo(
  createGauge: (options: GaugeOptions) => { set: (labels: { version: string }, value: number) => void },
): void {
  const gauge = createGauge({
    name: 'svc_build_info',
    help: 'The version of this process; the value is always 1.',
    labelNames: ['version'],
  })
  gauge.set({ version }, 1)
}
