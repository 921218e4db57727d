import type { FinishedTask, OpenOffer } from './brief.ts'

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
    poster: 'devi',
    postedHoursAgo: 20,
    closesInHours: 4 * 24,
    title: 'Clean a spreadsheet of 42,000 donations',
    tags: ['data'],
    criteria:
      'The sheet was filled in by eight offices over eleven years. Bring dates and currencies to one format, merge donors that are clearly the same, and list those that may be. Nothing is deleted: every change can be traced to its source row.\n\nDeliver the cleaned CSV, the script or the steps that produce it, and a log of the rules you applied. The yearly totals must match the audited ones.',
    milestones: [{ title: 'Cleaned data, rules and log', tok: 128_000, hours: 120 }],
  },
  {
    poster: 'ada',
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
]
