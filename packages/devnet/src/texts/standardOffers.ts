import type { FinishedTask, OpenOffer } from './brief.ts'
import { drawChart } from './drawChart.ts'

/** Tasks of the standard market that can be claimed, and that show nothing else. */
export const standardOffers: readonly OpenOffer[] = [
  {
    poster: 'ada',
    postedHoursAgo: 31,
    closesInHours: 9 * 24,
    title: 'Solidity review of a vesting contract',
    tags: ['solidity', 'audit'],
    criteria:
      'Two contracts, 410 lines without comments, Solidity 0.8.28, Foundry. They release a token to 60 people over four years and let the owner revoke what is not vested yet.\n\nThe review covers:\n- rounding and the last day of a schedule\n- revocation during a claim\n- tokens that charge a fee on transfer\n- who can call what\n\nEvery finding has a severity, a failing test and a suggested fix. After our fixes you look at the changes once more.',
    milestones: [
      { title: 'First report', tok: 360_000, hours: 168 },
      { title: 'Second look at the fixes', tok: 120_000, hours: 72 },
    ],
  },
  {
    poster: 'chiara',
    postedHoursAgo: 52,
    closesInHours: 5 * 24,
    title: 'English subtitles for a documentary on cork farmers',
    tags: ['translation', 'subtitles', 'lang:pt', 'lang:en'],
    criteria:
      'The film has 52 minutes in Portuguese, partly in the dialect of the Alentejo. A transcript of the interviews exists. Subtitles follow the attached style guide: two lines of 42 characters at most, 17 characters a second, no subtitle across a cut.\n\nDeliver the first 15 minutes early, so that we can agree on the treatment of names and sayings.',
    milestones: [
      { title: 'First 15 minutes', tok: 48_000, hours: 96 },
      { title: 'Complete SRT and list of open questions', tok: 112_000, hours: 168 },
    ],
  },
  {
    poster: 'devi',
    postedHoursAgo: 75,
    closesInHours: 20 * 24,
    title: 'Digitise a parish map of 1938',
    tags: ['maps', 'gis'],
    criteria:
      'The map shows about 900 fields and 140 buildings on four sheets, scanned at 600 dpi. Georeference the sheets with at least twelve points each and a mean error below four metres, then trace the fields and buildings as polygons.\n\nDeliver a GeoPackage in EPSG:27700 with field name, number and land use as printed. Polygons share borders and do not overlap; we run a topology check.',
    milestones: [
      { title: 'Four georeferenced sheets', tok: 60_000, hours: 96 },
      { title: 'Sheets 1 and 2 traced', tok: 130_000, hours: 168 },
      { title: 'Sheets 3 and 4 traced, topology checked', tok: 150_000, hours: 168 },
    ],
  },
  {
    poster: 'clara',
    postedHoursAgo: 20,
    closesInHours: 4 * 24,
    title: 'Clean a spreadsheet of 42,000 donations',
    tags: ['data'],
    criteria:
      'The sheet was filled in by eight offices over eleven years. Bring dates and currencies to one format, merge donors that are clearly the same, and list those that may be. Nothing is deleted: every change can be traced to its source row.\n\nDeliver the cleaned CSV, the script or the steps that produce it, and a log of the rules you applied. The yearly totals must match the audited ones.',
    milestones: [{ title: 'Cleaned data, rules and log', tok: 128_000, hours: 120 }],
  },
  {
    poster: 'otis',
    postedHoursAgo: 3,
    closesInHours: 7,
    title: 'Reproduce a crash of our hiking app on older iPhones',
    tags: ['testing', 'ios'],
    criteria:
      'About one in 400 sessions on iPhone 8 to XR ends while a map is loading. We have 30 crash reports but cannot reproduce it. You need at least two of these phones.\n\nAccepted is a sequence of steps that crashes the app in at least three of ten tries, a recording of the screen, and the log of the device. A fix is not part of the task.',
    milestones: [{ title: 'Steps, recording and logs', tok: 84_000, hours: 72 }],
  },
  {
    poster: 'bruno',
    postedHoursAgo: 44,
    closesInHours: 12 * 24,
    title: 'Write tests for the billing module of a library system',
    tags: ['testing', 'typescript'],
    criteria:
      'The module computes fees and refunds for 23 public libraries. It is 2,900 lines of TypeScript with almost no tests. Cover its behaviour as it is today with Vitest, without changing the code; where it looks wrong, write the test and mark it.\n\nBranch coverage of the module reaches 90 %, and at least 85 % of the mutants of Stryker are killed. Tests run in under 20 seconds.',
    milestones: [
      { title: 'Fees and due dates', tok: 140_000, hours: 120 },
      { title: 'Refunds, waivers and month end', tok: 140_000, hours: 120 },
    ],
  },
  {
    poster: 'chiara',
    postedHoursAgo: 16,
    closesInHours: 6 * 24,
    permitOnly: true,
    title: 'Voice-over for a first aid course, Dutch',
    tags: ['audio', 'lang:nl'],
    criteria:
      'Eleven lessons with 9,600 words in all. We look for a calm voice from the Netherlands or Flanders and a treated room. Send a sample of one minute from lesson 3 and ask for a permit; we answer within a day.\n\nDeliver WAV at 48 kHz and 24 bit, one file per paragraph, noise floor below -60 dB. Corrections of reading errors are included, changes of the script are not.',
    milestones: [
      { title: 'Lessons 1 to 5', tok: 150_000, hours: 120 },
      { title: 'Lessons 6 to 11', tok: 180_000, hours: 144 },
    ],
  },
  {
    poster: 'bruno',
    postedHoursAgo: 9,
    closesInHours: 26,
    title: 'Operator’s manual for a sheet music scanner',
    criteria:
      'The scanner is used by volunteers who change every few months. Write a manual of about 25 pages that takes a new person from switching on to a finished upload, with a photo or drawing for each step. We lend a device in Bologna, or show it by video.\n\nTwo people who have never seen the device follow it without help; what they stumble over is corrected before acceptance.',
    milestones: [
      { title: 'Outline and the first chapter', tok: 40_000, hours: 72 },
      { title: 'Complete draft with pictures', tok: 110_000, hours: 192 },
      { title: 'Corrections after the test with two readers', tok: 30_000, hours: 72 },
    ],
  },
  {
    poster: 'devi',
    postedHoursAgo: 63,
    closesInHours: 15 * 24,
    title: 'Compare the rules for school meals in 12 countries',
    tags: ['research'],
    criteria:
      'For each country: who pays, what a meal must contain, who checks it, and what a family pays in the capital. Use laws, ministries and statistics offices; a newspaper only if nothing else exists.\n\nDeliver one table and two pages per country, with every statement linked to its source and an archived copy. Texts in a language that you do not read must be checked by somebody who does.',
    milestones: [
      { title: 'Finland, France, Italy and Estonia', tok: 100_000, hours: 168 },
      { title: 'Japan, South Korea, India and Brazil', tok: 120_000, hours: 168 },
      { title: 'Kenya, Ghana, Canada and Chile', tok: 120_000, hours: 168 },
      { title: 'Summary table', tok: 30_000, hours: 72 },
    ],
  },
]

/** Tasks of the standard market that ended well. */
export const standardFinished: readonly FinishedTask[] = [
  {
    poster: 'ada',
    worker: 'farah',
    postedHoursAgo: 340,
    paidHoursAgo: 200,
    title: 'Keyboard support for a date picker',
    tags: ['accessibility', 'typescript'],
    criteria:
      'All functions of the date picker can be used without a mouse, as in the ARIA pattern for a dialog with a grid. Focus is always visible and returns to the field. Twelve tests with Playwright show it in three browsers. The size of the bundle grows by less than 2 kB.',
    milestones: [{ title: 'Pull request with tests', tok: 150_000, hours: 120 }],
  },
  {
    poster: 'chiara',
    worker: 'emeka',
    postedHoursAgo: 316,
    paidHoursAgo: 150,
    title: 'Translate a museum guide, Italian to English',
    tags: ['translation', 'lang:it', 'lang:en'],
    criteria:
      'The guide has 7,200 words on 64 objects. Use British spelling and the object names of the museum’s own list. Dates, sizes and inventory numbers are checked against the original. A native speaker on our side reads five random pages and finds nothing that must change.',
    milestones: [{ title: 'Complete translation', tok: 190_000, hours: 168 }],
  },
  {
    poster: 'chiara',
    worker: 'hana',
    postedHoursAgo: 260,
    paidHoursAgo: 130,
    title: 'Product photos of 36 hand-bound notebooks',
    tags: ['photography'],
    criteria:
      'Each notebook is shown closed, open and from the side, on white, with colours that match the given chart. 108 files of 3,000 pixels, named by article number. We send the notebooks and pay for the return.',
    milestones: [{ title: '108 retouched photos', tok: 170_000, hours: 144 }],
  },
  {
    poster: 'devi',
    worker: 'emeka',
    postedHoursAgo: 230,
    paidHoursAgo: 84,
    title: 'Find sources for 85 claims in a water report',
    tags: ['research'],
    criteria:
      'For each claim: the primary source with page, the exact quotation, and whether it supports the claim fully, partly or not at all. Secondary sources do not count. Where a figure is outdated, give the newest one.',
    milestones: [{ title: 'Table of 85 claims', tok: 120_000, hours: 168 }],
  },
  {
    poster: 'bruno',
    worker: 'hana',
    postedHoursAgo: 190,
    paidHoursAgo: 60,
    title: 'Transcribe nine interviews with instrument makers',
    tags: ['transcription', 'lang:en'],
    criteria:
      'Six hours in all, Italian, one voice at a time. The transcript is readable but true to the words, with speaker names and a time stamp per paragraph. Terms of the craft are checked against the attached list of 120 words.',
    milestones: [{ title: 'Nine transcripts', tok: 144_000, hours: 144 }],
  },
  {
    poster: 'clara',
    worker: 'noor',
    postedHoursAgo: 170,
    paidHoursAgo: 52,
    title: 'One donor list from nine spreadsheets',
    tags: ['data', 'python'],
    criteria:
      'Nine offices kept their own list. Bring them into one CSV, merge people who are clearly the same, and list those who may be. Every row can be traced to its sheet, and the yearly totals match the audited ones.',
    milestones: [{ title: 'Merged list, rules and log', tok: 150_000, hours: 120 }],
    delivery: {
      text: 'One list of 18,204 donors. **612 were merged**, 41 may be the same and are listed apart. The totals match.',
      files: {
        'donors-sample.csv':
          'id,name,country,first_year,sources\n1,Lena Aho,FI,2014,"helsinki:12"\n2,Jan Kowal,PL,2016,"warsaw:81 krakow:4"\n3,Ada Ruiz,ES,2019,"madrid:301"\n',
        'rules.md':
          '# Rules\n\n1. Same e-mail: merged.\n2. Same name and same bank: merged.\n3. Same name only: listed in `maybe.csv`.\n',
        'maybe.csv': 'row,other,why\n120,9981,same name\n455,12040,same phone\n',
      },
    },
  },
  {
    poster: 'otis',
    worker: 'tuan',
    postedHoursAgo: 150,
    paidHoursAgo: 46,
    title: 'Test the offline maps on eleven phones',
    tags: ['testing', 'android', 'ios'],
    criteria:
      'Download three regions, walk with the phone in flight mode, and come back. For each phone: what broke, the steps, and a recording. At least eight phones, two of them older than 2019.',
    milestones: [{ title: 'Report with recordings', tok: 110_000, hours: 96 }],
    delivery: {
      text: 'Eleven phones, four problems. The worst: tiles vanish when the phone sleeps for more than an hour.',
      files: {
        'report.md':
          '# Offline maps\n\n| phone | problems |\n|---|---|\n| iPhone 8 | tiles vanish after sleep |\n| Pixel 3 | none |\n| Galaxy A20 | second region is never saved |\n',
        'problems.csv':
          'phone,system,problem,tries,seen\niPhone 8,iOS 16,tiles vanish,10,7\nGalaxy A20,Android 11,region lost,10,10\n',
      },
    },
  },
  {
    poster: 'ines',
    worker: 'samir',
    postedHoursAgo: 140,
    paidHoursAgo: 40,
    title: 'Mix and master a podcast of 48 minutes',
    tags: ['audio'],
    criteria:
      'Three voices, two of them recorded outdoors. Even loudness at -16 LUFS, no clicks, the river stays audible. One round of corrections. WAV and MP3, and the session files.',
    milestones: [{ title: 'Finished episode', tok: 100_000, hours: 72 }],
    delivery: {
      text: 'The mix is at -16.1 LUFS. The wind at 12:40 is softer; more would have taken the voice with it.',
      files: {
        'loudness.csv': 'minute,lufs\n1,-16.2\n12,-16.4\n24,-16.0\n48,-16.1\n',
        'loudness.png': drawChart([16.2, 16.4, 16, 16.1], 17),
        'notes.txt': '00:12:40 wind reduced by 6 dB\n00:31:05 breath removed\n',
      },
    },
  },
  {
    poster: 'petra',
    worker: 'lukas',
    postedHoursAgo: 128,
    paidHoursAgo: 36,
    title: 'Georeference 22 town plans of 1911',
    tags: ['maps', 'gis'],
    criteria:
      'Twenty-two sheets at 1:1,000, scanned at 400 dpi. At least ten points a sheet, mean error below two metres, and a list of sheets that do not meet their neighbours.',
    milestones: [{ title: '22 GeoTIFF files and a report', tok: 160_000, hours: 96 }],
    delivery: {
      text: 'All 22 sheets, mean error 1.3 m. Sheets 7 and 8 do not meet: the river was straightened between the surveys.',
      files: {
        'errors.csv': 'sheet,points,mean_error_m\n1,12,1.1\n7,14,1.9\n8,11,1.8\n22,10,0.9\n',
        'report.md':
          '# Town plans of 1911\n\nMean error over all sheets: 1.3 m.\n\nSheets 7 and 8 do not meet at the river.\n',
      },
    },
  },
  {
    poster: 'wanjiru',
    worker: 'vera',
    postedHoursAgo: 118,
    paidHoursAgo: 30,
    title: 'Find who first described 60 bean varieties',
    tags: ['research'],
    criteria:
      'For each variety: the first description in print, with page and a link to a scan. Where there is none, say so and name the oldest mention. Names of dealers do not count.',
    milestones: [{ title: 'Table of 60 varieties', tok: 90_000, hours: 72 }],
    delivery: {
      text: '47 first descriptions with a scan, 13 varieties without any. Those are marked, with the oldest mention I found.',
      files: {
        'varieties.csv':
          'variety,first,year,page,certain\nGithiga,Kew Bulletin,1921,44,yes\nMwitemania,none,,,no\nRose Coco,Journal of Agriculture,1936,112,yes\n',
        'readme.md': '# How to read the table\n\n`certain` is **yes** if the scan shows the name and the plant.\n',
      },
    },
  },
  {
    poster: 'bruno',
    worker: 'mira',
    postedHoursAgo: 108,
    paidHoursAgo: 26,
    title: 'Italian audio guide, rooms 1 to 4',
    tags: ['translation', 'lang:it'],
    criteria:
      'A text of 3,100 words for visitors of twelve and up, to be spoken. Italian that sounds written for the ear, with the names of the museum’s own list. Two visitors read it aloud without stumbling.',
    milestones: [{ title: 'Four rooms, ready to record', tok: 104_000, hours: 72 }],
    delivery: {
      text: 'Rooms 1 to 4. I read all of it aloud twice; three sentences are shorter than in the German for that reason.',
      files: {
        'sala-1.md': '# Sala 1\n\nGuardate in alto. Le travi sono del 1540, e sono ancora quelle.\n',
        'changes.csv': 'room,sentence,why\n1,4,too long to speak\n3,2,two meanings\n4,9,name of the museum list\n',
      },
    },
  },
  {
    poster: 'devi',
    worker: 'eli',
    postedHoursAgo: 96,
    paidHoursAgo: 20,
    title: 'Edit the yearly report of a school charity',
    tags: ['writing', 'proofreading'],
    criteria:
      'Forty pages by six authors. One voice, plain English, no sentence above 25 words, figures checked against the tables. Changes are tracked, and every question is a comment.',
    milestones: [{ title: 'Edited report', tok: 120_000, hours: 72 }],
    delivery: {
      text: 'Forty pages in one voice. Nine figures did not match their tables; they are in the list, unchanged.',
      files: {
        'figures.csv': 'page,text,table\n7,1204,1240\n19,38 %,36 %\n',
        'style.md':
          '# Style of the report\n\n- we, not the charity\n- pupils, not students\n- numbers below ten in words\n',
      },
    },
  },
  {
    poster: 'chiara',
    worker: 'rune',
    postedHoursAgo: 80,
    paidHoursAgo: 12,
    title: 'Proofread 24 recipes in English',
    tags: ['proofreading'],
    criteria:
      'Amounts, units and verbs agree, and every step names what it uses. British spelling. Doubts are marked instead of decided; nothing about taste is changed.',
    milestones: [{ title: '24 checked recipes', tok: 60_000, hours: 48 }],
    delivery: {
      text: '31 corrections, 8 doubts. The doubts are in the list: I did not decide them.',
      files: {
        'doubts.csv': 'recipe,line,doubt\n3,5,"one spoon: which?"\n11,2,"oven not named"\n',
        'corrections.csv': 'recipe,before,after\n1,250 gr,250 g\n4,tea spoon,teaspoon\n',
      },
    },
  },
]
