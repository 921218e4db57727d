import { alerts, buildExpression } from '../../deploy/signals.ts'

/** Reads the samples of a text that Prometheus would scrape: series, with their labels, and values. */
export const readSamples = (text: string): Map<string, string> =>
  new Map([...text.matchAll(/^(\w+(?:\{.*\})?) (\S+)$/gm)].map(([, series = '', value = '']) => [series, value]))

/** Lists the series that alerts name and that no sample matches, such as `SvcDown: up`. */
export function listMissingSeries(series: readonly string[]): string[] {
  const known = series.map((each) => {
    const [, name = each, labels = ''] = /^(\w+)\{(.*)\}$/.exec(each) ?? []
    return {
      name,
      labels: new Map([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', value]) => [key, value])),
    }
  })
  return Object.entries(alerts).flatMap(([alert, row]) =>
    [...buildExpression(row).matchAll(/\b(svc_\w+)(?:\{([^}]*)\})?/g)].flatMap(([selector, name, matchers = '']) => {
      // Prometheus adds these when it scrapes.
      const wanted = [...matchers.matchAll(/(\w+)="([^"]*)"/g)].filter(([, key]) => key !== 'job')
      const isThere = known.some(
        (each) => each.name === name && wanted.every(([, key = '', value]) => each.labels.get(key) === value),
      )
      return isThere ? [] : [`${alert}: ${selector}`]
    }),
  )
}
