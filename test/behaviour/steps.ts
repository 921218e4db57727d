// What a worker can do with a task in work, written out: the rules have tests of their own.
import type { Address } from 'viem'
import type { TaskFact } from './facts.ts'
import { inTime } from './toolFields.ts'

interface Step {
  action: string
  verb: string
  title: string
  explain: string
  leadsTo: string
  derived: object
  costs: readonly object[]
  deadline: string | null
  until: number | null
  /** What the worker must supply, and where it comes from. */
  bring: readonly { name: string; from: string }[]
}

const listWorkingSteps = ({ id, current, deadline: until }: TaskFact): Step[] => [
  {
    action: 'submit-proof',
    verb: 'Submit work',
    title: 'Submit your work',
    explain:
      "Delivers the current milestone by the hash of its proof; the poster's review begins. If the terms name a store, only a delivery with its receipt is paid without an answer.",
    leadsTo: 'ACTIVE',
    derived: { taskId: id, milestone: current },
    costs: [],
    deadline:
      'The poster must respond within the review window; otherwise the worker is paid, unless the store of the terms gave no receipt.',
    until,
    bring: [{ name: 'proofHash', from: 'keccak256 of your proof of delivery (svc_prepare hashes it as text)' }],
  },
  {
    action: 'leave-task',
    verb: 'Leave task',
    title: 'Leave the task',
    explain:
      'Gives up the task you are working on; it costs your exit deposit, less than a missed deadline. If the poster has ended the work, close the task instead, which costs nothing.',
    leadsTo: 'CANCELLED',
    derived: { taskId: id },
    costs: [{ what: 'Lost of what you locked, at most', amount: '1,000 TOK' }],
    deadline: null,
    until,
    bring: [],
  },
  {
    action: 'mutual-cancel',
    verb: 'Cancel by agreement',
    title: 'Cancel the task by agreement',
    explain:
      'Ends the task with the signatures of both parties and divides what is in escrow; both get their exit deposits back.',
    leadsTo: 'CANCELLED',
    derived: { taskId: id },
    costs: [],
    deadline: null,
    until: null,
    bring: [
      { name: 'workerBps', from: "the worker's share, 0 to 10000" },
      { name: 'posterSignature', from: "the poster's signed MutualCancel" },
      { name: 'workerSignature', from: "the worker's signed MutualCancel" },
    ],
  },
]

/** The steps of the worker, as the API shows them. */
export const describeWorkingSteps = (task: TaskFact) =>
  listWorkingSteps(task).map(({ bring, ...step }) => ({ ...step, required: bring.map(({ name }) => name) }))

/** The steps of the worker, as the tools show them: each with the call that takes it. */
export const describeToolSteps = (task: TaskFact, address: Address) =>
  listWorkingSteps(task).map(({ action, explain, costs, until, bring, derived }) => {
    const prepare = { tool: 'svc_prepare', arguments: { action, input: derived, address } }
    const talk = { tool: 'svc_send_message', arguments: { id: task.id, address, kind: 'propose-end' } }
    const isEnd = action === 'mutual-cancel'
    return {
      ...{ action, explain, costs, bring: isEnd ? bring.slice(0, 1) : bring },
      ...inTime('until', until),
      call: isEnd ? talk : prepare,
    }
  })
