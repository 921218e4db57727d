import type { TaskWork } from './brief.ts'
import { drawChart } from './drawChart.ts'

const users = [250, 500, 750, 1_000, 1_250, 1_500, 1_750, 2_000, 2_250, 2_500, 2_750, 3_000]
const seconds = [0.31, 0.34, 0.38, 0.41, 0.47, 0.58, 0.74, 0.97, 1.36, 1.9, 2.8, 4.1]

const villages = ['Oberau', 'Lindach', 'Seeham']
/** Answers of the survey: number, village, cost, saving, and what surprised the owner. */
const answers = Array.from({ length: 24 }, (_, index) => {
  const surprises = ['noise', 'paperwork', 'nothing', 'comfort']
  return [
    index + 1,
    villages[index % 3],
    14_500 + ((index * 1_730) % 9_000),
    610 + ((index * 97) % 540),
    surprises[index % 4],
  ].join(',')
})
const formatAnswers = (rows: readonly string[]) =>
  `answer,village,cost_eur,saving_eur_per_year,surprise\n${rows.map((row) => `${row}\n`).join('')}`
const formatAnalysis = (count: number, saving: string, interval: string) => `# What owners spend and save

${count} complete answers, ${villages.join(', ')}.

| | median | 95 % interval |
|---|---|---|
| cost | 18,700 EUR | 17,900 to 19,600 |
| saving a year | ${saving} EUR | ${interval} |

Most owners were surprised by the paperwork, not by the machine.
`

/** Work of the standard market, by the scenario it belongs to. */
export const standardWork: Readonly<Record<string, Partial<TaskWork>>> = {
  working: {
    deliveries: [
      {
        text: 'The tokens for type, colour and spacing, as your build reads them.\n\nEvery pair of text and background reaches 4.5:1 in both modes; the table has the numbers.',
        files: {
          'tokens.json': `${JSON.stringify(
            {
              color: { ink: '#1b1f24', paper: '#ffffff', line: '#d6d9de', departure: '#0b5cad', disruption: '#a32a12' },
              type: { body: '17/26', small: '14/20', title: '28/34' },
              space: [4, 8, 12, 16, 24, 32],
            },
            null,
            2,
          )}\n`,
          'contrast.csv':
            'text,background,light,dark\nink,paper,16.1,14.8\ndeparture,paper,6.6,7.2\ndisruption,paper,7.4,5.9\nline,paper,1.4,1.6\n',
        },
      },
    ],
  },
  revised: {
    deliveries: [
      {
        text: 'Four pages, ready for layout. Language level B1, checked with two readers of my own.',
        files: {
          'tariff.md':
            '# Your electricity tariff\n\n## Page 1: What you pay\n\nYou pay a fixed price each month, and a price for every kilowatt hour.\n\n## Page 2: When the price changes\n\nWe tell you six weeks before.\n\n## Page 3: Fees\n\n| For | Price |\n|---|---|\n| a reminder | 2.40 EUR |\n| a paper bill | 1.90 EUR |\n\n## Page 4: How to leave\n\nWrite to us. You can leave after any month.\n',
          'questions.md':
            '1. How much is a reminder?\n2. When do we tell you about a new price?\n3. How can you leave?\n',
        },
      },
    ],
    requests: [
      {
        text: 'Good to read. **Page 3 still uses the old numbers**: a reminder is 2.80 EUR since January, a paper bill 2.10 EUR.\n\nPlease also put the table of fees above the text.',
      },
    ],
  },
  inReview: {
    deliveries: [
      {
        text: 'The shop holds **2,500 users** before a reservation takes more than two seconds. The limit is the lock on the seat table, not the web servers.\n\nThe three cheapest improvements, with their estimated effect:\n\n1. lock one row instead of a block: about twice the users\n2. cache the seat map for five seconds: 15 %\n3. a read replica for browsing: 10 %\n\nThe scripts run with `k6 run reserve.js`.',
        files: {
          'report.md':
            '# Load test of the ticket shop\n\nThree nights, test system, 20 minutes for each step.\n\n## Result\n\nA reservation takes two seconds at 2,540 users (95th percentile). Browsing stays below 0.6 seconds.\n\n## What limits it\n\n`select … for update` on the block of seats. 83 % of the waiting time is there.\n\n## What we did not test\n\n- payments: the test system has no provider\n- mobile networks\n',
          'results.csv': `users,reserve_p95_seconds,browse_p95_seconds,errors\n${users
            .map(
              (count, index) =>
                `${count},${seconds[index]},${(0.2 + index * 0.03).toFixed(2)},${index < 10 ? 0 : index * 3}\n`,
            )
            .join('')}`,
          'reserve-p95.png': drawChart(seconds, 2),
          'scripts/reserve.js':
            "import http from 'k6/http'\nimport { check, sleep } from 'k6'\n\nexport const options = { stages: [{ duration: '20m', target: Number(__ENV.USERS) }] }\n\nexport default function () {\n  const seat = http.get(__ENV.SHOP + '/seats/free').json('0.id')\n  const answer = http.post(__ENV.SHOP + '/reservations', JSON.stringify({ seat }))\n  check(answer, { reserved: ({ status }) => status === 201 })\n  sleep(1 + Math.random())\n}\n",
        },
        links: ['https://grafana.com/docs/k6/latest/'],
      },
    ],
  },
  receiptMissing: {
    deliveries: [
      {
        text: 'Timed to the cut of 3 May. Three passages are open; the list has them.',
        files: {
          'film.en.srt':
            '1\n00:00:41,200 --> 00:00:44,000\nMy father cut this path in 1952.\n\n2\n00:00:44,480 --> 00:00:48,100\nHe carried the stones from Kuusamo,\nfour at a time.\n\n3\n00:00:49,000 --> 00:00:51,600\nNobody asked him to.\n\n4\n00:01:02,300 --> 00:01:06,000\nIn winter the lake was our road.\n',
          'open-questions.csv':
            'time,heard,question\n00:07:12,"routa","frost in the ground: one word or a note?"\n00:19:40,"Ruka","the fell or the village?"\n00:33:05,"(unclear)","wind over the voice"\n',
        },
      },
    ],
  },
  disputeOpen: {
    deliveries: [
      {
        text: 'Weights, training script and model card. Recall is 0.972 on my own split.',
        files: {
          'model-card.md':
            '# Bottle defects\n\nTrained on 7,200 of the 8,000 photos.\n\n| | recall | precision |\n|---|---|---|\n| all | 0.972 | 0.913 |\n| scratches | 0.93 | 0.88 |\n\n## Where it fails\n\nBrown glass in bright light.\n',
          'inference.csv': 'run,milliseconds\n1,41\n2,43\n3,40\n4,42\n5,44\n',
        },
      },
    ],
    complaint: {
      text: 'On the photos that we held back, recall is **0.91**, not 0.97. The task names these photos as the measure.',
      files: {
        'held-back.csv':
          'defect,photos,found,recall\nscratch,210,176,0.84\nbubble,180,171,0.95\nchip,160,150,0.94\nstain,150,139,0.93\n',
        'recall.png': drawChart([0.84, 0.95, 0.94, 0.93], 0.97),
      },
    },
  },
  disputeEvidence: {
    complaint: {
      text: 'The letters close up at 12 mm: *Suppe* and *Süppchen* cannot be told apart on the proof. We offer a quarter for the sketches.',
      files: {
        'proof-notes.txt':
          'Proof on cotton paper, 12 mm\n\nSuppe      closed\nSüppchen   closed\nBraten     readable\n',
      },
    },
  },
  disputeRuled: {
    deliveries: [
      {
        text: 'Ten emails: five, in two versions each. All subject lines are below 45 characters.',
        files: {
          'emails.md':
            '# 1a · Welcome\n\n**You are set up. Here is what happens next.**\n\nWe read your payslips and fill in what we can. You check it.\n\n# 1b · Welcome\n\n**Three steps, about ten minutes.**\n\nUpload your payslips, answer six questions, check the result.\n\n# 2a · First upload\n\n**Your first payslip is in.**\n\nOne more, and we can estimate your refund.\n',
          'subjects.csv':
            'email,version,subject,characters\n1,a,You are set up. Here is what happens next.,42\n1,b,"Three steps, about ten minutes.",31\n2,a,Your first payslip is in.,25\n2,b,One payslip to go.,18\n',
        },
      },
    ],
    complaint: {
      text: 'Two claims are not on our lawyer’s list:\n\n- “we can estimate your refund” (2a)\n- “most people get money back” (4b)\n\nThe task says that *every* claim must be on it. We offer 30 % for the emails that we can use.',
      files: {
        'claims.csv':
          'email,claim,on the list\n2a,we can estimate your refund,no\n4b,most people get money back,no\n1a,we fill in what we can,yes\n',
      },
    },
    answer: {
      text: 'The first claim **is** on the list, as number 14: “an estimate of the refund”. The second one is mine, and I sent a corrected 4b an hour after the poster told me.\n\nI ask for 90 %.',
      files: {
        'approved-claims.txt':
          '13  your data stays in the EU\n14  an estimate of the refund\n15  you can stop at any time\n',
        '4b-corrected.md': '# 4b · Reminder\n\n**Your draft waits for you.**\n\nIt takes four minutes to finish.\n',
      },
    },
    reasons: {
      text: 'For the worker.\n\nClaim 14 of the approved list covers email 2a. Email 4b broke the rule, was corrected within the hour, and is one of ten. The worker’s 90 % is closer to that than the poster’s 30 %.',
    },
  },
  disputeAppealed: {
    complaint: {
      text: 'Six of the 140 tests were changed, and two files have more than 400 lines.',
      files: { 'changed-tests.txt': 'CardStoreTest\nPointsTest\nSyncTest\nQrTest\nBackupTest\nLocaleTest\n' },
    },
    answer: {
      text: 'The six tests only import another class name: Kotlin compiles the same file under another one. Nothing that they check was changed.',
      files: { 'PointsTest.txt': '- import app.points.PointsUtil\n+ import app.points.PointsKt\n' },
    },
    reasons: {
      text: 'For the poster.\n\n“Without a change” leaves no room, however small the change is. Two files are too long besides.',
    },
  },
  completed: {
    deliveries: [
      {
        text: 'The questionnaire has 18 questions and took nine minutes in a test with four owners. The sample: every third address of each village, from the public register.',
        files: {
          'questionnaire.md':
            '# Heat pumps in three villages\n\n1. When was your heat pump installed?\n2. What did it cost, before subsidies?\n3. What did you heat with before?\n4. What do you save in a year, as far as you know?\n5. What surprised you?\n',
          'sample.csv': `village,addresses,asked\n${villages.map((village, index) => `${village},${[412, 365, 288][index]},${[137, 122, 96][index]}\n`).join('')}`,
        },
      },
      {
        text: '123 answers, and the analysis.',
        files: {
          'answers.csv': formatAnswers([...answers.slice(0, 12), ...answers.slice(9, 24)]),
          'analysis.md': formatAnalysis(123, '862', '801 to 923'),
        },
      },
      {
        text: 'Corrected: the three doubled entries are gone, and the analysis is computed again. The saving changes by 14 EUR.\n\nNew: a page about the limits of the survey.',
        files: {
          'answers.csv': formatAnswers(answers),
          'analysis.md': formatAnalysis(120, '848', '790 to 906'),
          'limits.md':
            '# Limits\n\n- Owners who were unhappy may have answered more often.\n- Savings are what owners believe, not what a meter shows.\n- Nobody was asked twice.\n',
        },
      },
    ],
    requests: [
      {
        text: 'Three entries of `answers.csv` are **doubled**: 10, 11 and 12. The analysis counts them twice, so the saving is too high.\n\nPlease remove them, compute it again, and add a page about the limits of the survey, which the task asks for.',
      },
    ],
  },
  resolvedByCourt: {
    decision: {
      text: 'The judge read the snow load of zone 2. The pavilion stands in zone 3 at 610 metres, and the calculation uses 2.7 kN/m², which is right. For the worker.',
    },
  },
}
