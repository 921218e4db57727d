import type { Mutant } from './mutants.ts'
import type { MutantVerdict } from './worker.ts'

/** By file and label of the mutant, the reason why no test can or should notice it. */
export type Explanations = Readonly<Record<string, Readonly<Record<string, string>>>>

interface TestedMutant extends Pick<Mutant, 'file' | 'line' | 'label'> {
  verdict: MutantVerdict['verdict']
}

interface MutationReport {
  lines: string[]
  /** Killed, or explained. */
  passed: number
  /** Survivors without an explanation, and explanations of mutants that a test notices. */
  failed: number
}

/** Summarises the verdicts by file. */
export function createReport(tested: readonly TestedMutant[], explained: Explanations): MutationReport {
  const byFile = Map.groupBy(tested, ({ file }) => file)
  const width = Math.max(8, ...[...byFile.keys()].map((file) => file.length))
  const explanationOf = ({ file, label }: TestedMutant) => explained[file]?.[label]
  const survivors = tested.filter(({ verdict }) => verdict === 'survived')
  const open = survivors.filter((mutant) => !explanationOf(mutant))
  const wrong = tested.filter((mutant) => mutant.verdict !== 'survived' && explanationOf(mutant))
  return {
    lines: [
      ...[...byFile].map(([file, own]) => `${file.padEnd(width)} ${formatScore(own)}`),
      `${'together'.padEnd(width)} ${formatScore(tested)}`,
      `${survivors.length} survivors, ${open.length} not explained in contracts/survivors.json`,
      ...open.map(({ file, line, label }) => `  ${file}:${line}  ${label}`),
      ...wrong.map(({ file, label }) => `contracts/survivors.json explains what does not survive: ${file}  ${label}`),
    ],
    passed: tested.filter((mutant) => mutant.verdict === 'killed' || explanationOf(mutant)).length,
    failed: open.length + wrong.length,
  }
}

function formatScore(own: readonly TestedMutant[]): string {
  const count = (wanted: TestedMutant['verdict']) => own.filter(({ verdict }) => verdict === wanted).length
  const [killed, survived, invalid] = [count('killed'), count('survived'), count('invalid')]
  const share = killed + survived === 0 ? '' : ` (${((100 * killed) / (killed + survived)).toFixed(1)} % killed)`
  return `${killed} killed, ${survived} survived, ${invalid} invalid${share}`
}
