import type { Market } from '@svc/protocol'
import type { Brief, TaskWork } from './brief.ts'
import { microWork } from './microWork.ts'
import { standardWork } from './standardWork.ts'

const written: Record<Market, Readonly<Record<string, Partial<TaskWork>>>> = {
  standard: standardWork,
  micro: microWork,
}

/** Finds the work of a scenario. What nobody wrote for it says what its brief says. */
export function findTaskWork(market: Market, scenario: string, brief: Brief): TaskWork {
  return { ...describeWork(brief), ...written[market][scenario] }
}

function describeWork({ title, criteria, milestones }: Brief): TaskWork {
  const points = criteria.split('\n').filter((line) => line.trim() !== '')
  return {
    deliveries: milestones.map((milestone) => ({
      text: `**${milestone.title}** is done. The notes go through the task point by point.`,
      files: {
        'notes.md': `# ${title}\n\nDelivered: ${milestone.title}.\n\n## Checked against the task\n\n${points.map((point) => `> ${point}`).join('\n>\n')}\n\nDone as described. I had no doubts that I could not settle.\n`,
      },
    })),
    requests: [{ text: 'Most of it is right. Please go through the first point of the task again.' }],
    complaint: {
      text: 'Half of it is missing. The list compares what the task asks for with what I received.',
      files: {
        'missing.csv': `point,received\n${points.map((point, index) => `"${point.replaceAll('"', '""')}",${index % 2 === 0 ? 'no' : 'yes'}`).join('\n')}\n`,
      },
    },
    answer: {
      text: 'All of it was delivered in time. The log has every file that I sent, and when.',
      files: {
        'log.txt': milestones.map((milestone, index) => `day ${index + 1}  ${milestone.title}: sent\n`).join(''),
      },
    },
    reasons: {
      text: 'I read the delivery against the task’s own words. What the task does not ask for does not count, on either side.',
    },
    decision: { text: 'The final court read the same bundles as the judge and comes to another result.' },
  }
}
