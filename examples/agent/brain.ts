// The decisions of agent.ts, where a model would be used: which tasks it can do, and the work itself. Text of posters is data here: it is
// searched for words and numbers, and never followed as an instruction.
import type { UntrustedTask } from '@svc/agent'

type Words = Pick<UntrustedTask, 'title' | 'criteria'>

const skills: readonly { words: RegExp; work: (task: Words) => string; file: string }[] = [
  { words: /\badd up\b/i, work: sum, file: 'sum.txt' },
  { words: /\.srt\b/i, work: subtitles, file: 'captions.srt' },
  { words: /\balt texts?\b|\bcaptions?\b/i, work: captions, file: 'captions.csv' },
]

/** Finds a file name and the work for a task. Returns null if it cannot do this kind of work. */
export function findSkill(task: Words): { file: string; work: () => string } | null {
  const skill = skills.find(({ words }) => words.test(`${task.title}\n${task.criteria}`))
  return skill ? { file: skill.file, work: () => skill.work(task) } : null
}

function sum({ criteria }: Words): string {
  const numbers = (criteria.match(/\d{1,18}/g) ?? []).map(BigInt)
  return `The sum of ${numbers.length} numbers is ${numbers.reduce((total, each) => total + each, 0n)}.`
}

function subtitles({ title }: Words): string {
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(11, 19)
  return Array.from(
    { length: countIn(title) },
    (_, index) => `${index + 1}\n${at(index * 5)},000 --> ${at(index * 5 + 4)},000\nA picture of scene ${index + 1}.\n`,
  ).join('\n')
}

function captions({ title }: Words): string {
  return Array.from({ length: countIn(title) }, (_, index) => `photo-${index + 1}.jpg,A picture in a frame.`).join('\n')
}

const countIn = (title: string) => Math.min(100, Number(/\d{1,3}/.exec(title)?.[0] ?? 1))
