import type { TaskWork } from './brief.ts'
import { drawChart } from './drawChart.ts'

const species = ['Turdus merula', 'Parus major', 'Erithacus rubecula', 'none', 'Fringilla coelebs']
const tagCalls = (first: number, count: number, isCorrected = false) =>
  `recording,species,sure\n${Array.from({ length: count }, (_, index) => {
    const name = species[(index + (isCorrected && index % 8 === 3 ? 1 : 0)) % species.length]
    return `${first + index},${name},${index % 9 === 4 ? 'no' : 'yes'}\n`
  }).join('')}`

/** Work of the micro market, by the scenario it belongs to. */
export const microWork: Readonly<Record<string, Partial<TaskWork>>> = {
  working: {
    deliveries: [
      {
        text: '30 adverts from Austria. Pay is given in 22 of them.',
        files: {
          'austria.csv':
            'title,employer,town,pay,date,link\nCable technician,Netz Tirol,Innsbruck,"EUR 2,900",3 November,https://jobs.example/1041\nFibre splicer,Glasbau Ost,Graz,,5 November,https://jobs.example/1077\nCable fitter,Stadtwerke Wels,Wels,"EUR 2,650",9 November,https://jobs.example/1102\n',
        },
      },
    ],
  },
  revised: {
    deliveries: [
      {
        text: 'The icon at 180 pixels, and how it looks beside others.',
        files: { 'favicon-preview.png': drawChart([3, 5, 6, 5, 3], 4) },
      },
    ],
    requests: [{ text: 'The stripes run together at 16 pixels. Two instead of five would be enough.' }],
  },
  inReview: {
    deliveries: [
      {
        text: 'Proofread. 14 corrections and two comments; I changed nothing else.',
        files: {
          'boletin.md':
            '# Boletín de noviembre\n\nQueridas lectoras, queridos lectores:\n\nEste mes abrimos el taller de encuadernación, los martes a las 18:00.\n\n> Comentario: ¿también en festivos?\n',
          'corrections.csv': 'line,was,is\n3,queridos lectores.,queridos lectores:\n5,a las 18.00 horas,a las 18:00\n',
        },
      },
    ],
  },
  disputeOpen: {
    deliveries: [
      {
        text: 'Six minutes, 88 subtitles. No more than 16.4 characters a second.',
        files: {
          'film.en.srt':
            '1\n00:00:02,000 --> 00:00:04,600\nThis is the Mira 2.\n\n2\n00:00:05,100 --> 00:00:08,900\nIt grinds for one cup,\nand only when you ask.\n\n3\n00:00:09,400 --> 00:00:12,000\nNo beans stay behind.\n',
        },
      },
    ],
    complaint: {
      text: 'Eleven subtitles cross a cut. The task says that none may.',
      files: {
        'cuts.csv':
          'subtitle,begins,cut\n14,00:00:58.2,00:00:59.0\n15,00:01:01.4,00:01:02.0\n31,00:02:10.9,00:02:11.3\n',
      },
    },
  },
  disputeRuled: {
    deliveries: [
      {
        text: 'Ten cafés with the height of the step and the width of the door.',
        files: {
          'cafes.csv':
            'cafe,step_cm,door_cm,ramp,bell\nDe Zwaan,0,92,,\nKoffie Leie,4,88,yes,\nBar Patershol,11,79,no,yes\nHet Anker,2,90,,\n',
          'steps.png': drawChart([0, 4, 11, 2, 7, 0, 3, 15, 1, 6], 5),
        },
      },
    ],
    complaint: { text: 'Three photos are missing: De Zwaan, Het Anker and Kaffaa.' },
    answer: {
      text: 'They were closed for building work, as I wrote the same day. Seven of ten are complete, with everything the sheet asks for.',
    },
    reasons: { text: 'For the worker. A closed entrance cannot be photographed, and the worker said so in time.' },
  },
  completed: {
    deliveries: [
      { text: 'Recordings 1 to 200.', files: { 'tags-1.csv': tagCalls(1, 40) } },
      { text: 'Recordings 201 to 400.', files: { 'tags-2.csv': tagCalls(201, 40) } },
      {
        text: 'I listened to the doubtful ones again, with better headphones.',
        files: {
          'tags-2.csv': tagCalls(201, 40, true),
          'doubts.md': 'Still unsure: 205, 214, 223 and 232. All four have rain on them.\n',
        },
      },
    ],
    requests: [
      { text: 'Only 33 of the 40 known ones are right; 36 are needed. Robin and blackbird seem to be swapped.' },
    ],
  },
}
