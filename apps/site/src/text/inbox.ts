import { amounts } from './amounts.ts'

/** What waits, in words: what to do, what happens otherwise, and the button that leads there. */
export interface InboxLine {
  todo: string
  otherwise: string
  button: string
}

/** Who waits, and what is possible. */
export interface InboxCase {
  role: 'poster' | 'worker' | 'judge' | 'candidate' | 'court'
  actions: readonly { action: string }[]
  state: string
}

/** Text of the inbox. */
export const inboxText = {
  title: 'Inbox',
  heading: (duties: number) =>
    duties === 0 ? 'Inbox' : duties === 1 ? '1 thing needs you' : `${duties} things need you`,
  description: 'Everything in this market that waits for you, in every role.',
  tabs: { waiting: 'To do', messages: 'Messages', news: 'News' },
  many: '99+',
  connect: 'Sign in to see what waits for you: work to review, deadlines, cases to judge.',
  due: 'Due',
  dueSays: 'Missing these costs you money or your record.',
  options: 'You can',
  optionsSays: 'No penalty if you wait. Acting moves the task on.',
  others: 'Waiting for others',
  othersSays: 'Nothing to do for you until they act.',
  allWork: 'See all of your work',
  empty: 'Nothing waits for you here. Take on a task, or post one and let others work.',
  explore: 'Explore tasks',
  post: 'Post a task',
  left: 'left',
  over: 'Time is up',
  anytime: 'No deadline',
  truncated: 'You have more than 100 tasks in one role. Only the newest 100 were looked at; My work has them all.',
  roles: {
    poster: 'You posted it',
    worker: 'You work on it',
    judge: 'You judge it',
    candidate: 'You are asked to judge',
    court: 'Final court',
  },
} as const

type Role = InboxCase['role']

/** The actions that say best what waits, the first one that is possible. */
const leads: Readonly<Record<Role, readonly string[]>> = {
  judge: ['resolve-dispute', 'resolve-timed-out', 'step-down'],
  court: ['decide-dispute'],
  candidate: ['propose-arbitrator'],
  poster: [
    'release-lapsed',
    'finalize-dispute',
    'resolve-timed-out',
    'expire-task',
    'fund-task',
    'start-work',
    'escalate',
    'submit-evidence',
    'propose-arbitrator',
    // Last: in a dispute it gives in.
    'accept-milestone',
  ],
  worker: [
    'release-lapsed',
    'finalize-dispute',
    'resolve-timed-out',
    'submit-proof',
    'open-dispute',
    'start-work',
    'escalate',
    'submit-evidence',
    'propose-arbitrator',
    'expire-task',
  ],
}

/** Describes what waits by the action that says it best. */
export function describeInboxLine({ role, actions, state }: InboxCase): InboxLine {
  const can = (name: string) => actions.some(({ action }) => action === name)
  const action = leads[role].find(can) ?? actions[0]?.action
  switch (action) {
    case 'resolve-dispute':
      return {
        todo: 'Read both sides and rule.',
        otherwise: `A judge that stays silent loses ${amounts.silentJudge}, and the final court takes over. Until then you can give the case back.`,
        button: 'Open the case',
      }
    // A judge that cannot rule yet.
    case 'step-down':
      return {
        todo: 'You are the judge. Read both sides; you can rule when the evidence is closed.',
        otherwise: `You can give the case back, free of charge. A judge that does not rule in time loses ${amounts.silentJudge}.`,
        button: 'Open the case',
      }
    case 'decide-dispute':
      return {
        todo: 'Decide as the final court.',
        otherwise: 'Without a decision the ruling stands, or the side that did not open the dispute wins.',
        button: 'Open the case',
      }
    case 'propose-arbitrator':
      return role === 'candidate'
        ? {
            todo: 'Accept the case, if you want to judge it.',
            otherwise: 'If you do nothing, the final court decides.',
            button: 'Look at the case',
          }
        : {
            todo: 'Agree on a judge with the other side.',
            otherwise: 'If you do not agree in time, the final court decides.',
            button: 'Choose a judge',
          }
    case 'release-lapsed':
      return role === 'worker'
        ? {
            todo: 'The poster did not answer in time. Release your payment.',
            otherwise: 'Anyone can release it; until then the money stays locked.',
            button: 'Get paid',
          }
        : {
            todo: 'You did not answer in time, so the work counts as approved. Release the payment.',
            otherwise: 'Anyone can release it; you can no longer ask for changes.',
            button: 'Release the payment',
          }
    case 'finalize-dispute':
      return {
        todo: 'Nobody appealed. Carry out the ruling.',
        otherwise: 'Anyone can do it; until then the money stays locked.',
        button: 'Carry out the ruling',
      }
    case 'resolve-timed-out':
      return {
        todo: 'The time of this phase is over. Move the dispute on.',
        otherwise: 'Anyone can do it; until then nothing moves.',
        button: 'Move it on',
      }
    case 'expire-task':
      if (state === 'POSTED')
        return {
          todo: 'Nobody took it in time. Close it to get your money and your hold back.',
          otherwise: 'Until then they stay locked.',
          button: 'Close the task',
        }
      if (state === 'CLAIMED')
        return {
          todo: 'The claim was not started in time. Close it.',
          otherwise: 'Until then what both sides set aside stays there.',
          button: 'Close the claim',
        }
      return role === 'poster'
        ? {
            todo: 'The worker missed the deadline. Close the task to get your money back.',
            otherwise: 'Until then it stays locked.',
            button: 'Close the task',
          }
        : {
            // A worker who missed a deadline without a notice has nothing to gain from closing it.
            todo: 'The poster ended the work, and its time is over. Close the task.',
            otherwise: 'Until then what you set aside stays there.',
            button: 'Close the task',
          }
    case 'fund-task':
      return {
        todo: 'Lock the rest of the pay.',
        otherwise: `A worker is waiting. If you miss it, the task ends and you lose your hold and ${amounts.lapse}.`,
        button: 'Lock the pay',
      }
    case 'accept-milestone':
    case 'request-revision':
    case 'complete-task':
      return {
        todo: 'Review the delivery.',
        otherwise: 'Approve it, ask for changes, or open a dispute. Without an answer in time, the worker is paid.',
        button: 'Review the work',
      }
    case 'start-work':
      return {
        todo: 'Start the work.',
        otherwise:
          role === 'worker'
            ? 'If nobody starts it in time, the claim ends and you can be replaced.'
            : 'If nobody starts it in time, the claim ends and the task opens again.',
        button: 'Start the work',
      }
    case 'submit-proof':
      // Only a worker whom the poster told to stop can close the task before its deadline.
      if (can('expire-task'))
        return {
          todo: 'The poster ended the work. Deliver what you have, or close the task.',
          otherwise: 'If you deliver nothing, the task ends. That costs you nothing.',
          button: 'Look at your options',
        }
      return {
        todo: 'Deliver the work.',
        otherwise: `If you miss the deadline, you lose your hold and ${amounts.lapse}, and the task can be closed.`,
        button: 'Deliver',
      }
    case 'open-dispute':
      return {
        todo: 'The review is over without an answer. Deliver with a receipt, or open a dispute.',
        otherwise: 'If you do neither in time, the task can be closed without paying you.',
        button: 'Look at your options',
      }
    case 'escalate':
      return {
        todo: 'The ruling went against you. Appeal, or let it stand.',
        otherwise: 'After this time, the ruling is carried out.',
        button: 'Read the ruling',
      }
    case 'submit-evidence':
      return {
        todo: 'Show your side of the dispute.',
        otherwise:
          'Add evidence, or move towards the other share. If one side stays silent, no judge rules: the final court decides.',
        button: 'Add evidence',
      }
    default:
      return { todo: 'It is your turn.', otherwise: '', button: 'Open the task' }
  }
}
