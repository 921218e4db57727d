import type { Brief } from './brief.ts'

/** The tasks of the standard market, by the scenario they play. */
export const standardBriefs = {
  open: {
    title: 'Accessibility audit of a booking site',
    criteria:
      'Test the eight main pages of our ferry booking site with a screen reader and with the keyboard alone. NVDA with Firefox and VoiceOver with Safari are enough.\n\nThe report has one entry per problem:\n- page and steps to reproduce it\n- WCAG 2.2 success criterion\n- severity for a person who wants to buy a ticket\n- a suggested fix\n\nFindings of automatic checkers alone do not count.',
    milestones: [{ title: 'Audit report', tok: 180_000, hours: 168 }],
  },
  openUnfunded: {
    title: 'Move a Django 3 shop to Django 5',
    criteria:
      'The shop has about 18,000 lines, 410 tests and no custom admin. You work on a branch and open one pull request per milestone.\n\nEach milestone is accepted when all tests pass in our CI, `python -W error` shows no deprecation warnings from our own code, and the shop runs on staging for a day without a new error. The payment module must not change its behaviour.',
    milestones: [
      { title: 'Test suite green on Django 4.2', tok: 160_000, hours: 240 },
      { title: 'Test suite green on Django 5.2', tok: 160_000, hours: 240 },
      { title: 'Release notes, and a week of questions answered', tok: 60_000, hours: 168 },
    ],
  },
  permitOnly: {
    title: 'Translate a clinical consent form, English to Portuguese (Brazil)',
    criteria:
      'The form has 2,400 words and will be read by patients, so it needs plain language and the terms that Brazilian clinics use. Keep the numbering and the tables.\n\nOnly for translators with experience in medicine: ask for a permit and give two references. Deliver the translation as DOCX and a list of the terms you were unsure about.',
    milestones: [{ title: 'Translated form with term list', tok: 96_000, hours: 120 }],
  },
  claimClosed: {
    title: 'Photograph 12 shop fronts in Lyon, Presqu’île',
    criteria:
      'Each front is photographed straight on, in daylight, without cars or scaffolding in front of it. Deliver RAW and JPEG files of at least 24 megapixels, named by street and number, with coordinates in the metadata. The list of addresses is attached. If a shop is closed for good, take its neighbour and say so.',
    milestones: [{ title: 'Photos of all 12 fronts', tok: 64_000, hours: 96 }],
  },
  awaitingFunds: {
    title: 'Data pipeline from 14 weather stations to Parquet',
    criteria:
      'Every hour, 14 stations send CSV files by SFTP. The pipeline validates them, corrects the known clock drift of three stations, writes one Parquet partition a day and sends an alert if a station is silent for three hours.\n\nPython 3.12, with tests that cover a missing file, a duplicate file and a broken row. It must process a year of old files in under ten minutes on our server.',
    milestones: [
      { title: 'Import, validation and daily partitions', tok: 220_000, hours: 240 },
      { title: 'Alerts, backfill of 2025 and a runbook', tok: 120_000, hours: 120 },
    ],
  },
  claimLapsed: {
    title: 'Illustrate a spread for a picture book',
    criteria:
      'The spread shows a night market seen from above, in ink and watercolour, 60 x 30 cm at 300 dpi. The text block at the lower left must stay calm enough to print on. Send two pencil sketches first; we choose one within a day. Deliver a layered file and a flat TIFF, with the right to print 4,000 copies.',
    milestones: [{ title: 'Final illustration', tok: 140_000, hours: 240 }],
  },
  readyToStart: {
    title: 'Find and fix a memory leak in an image service',
    criteria:
      'The service is written in Rust and has about 6,000 lines. Under the attached load script its heap grows by 40 MB an hour.\n\nAccepted when:\n- the heap stays within 5 MB of its start after six hours of the same load\n- a regression test fails without the fix\n- a page explains the cause and how you found it',
    milestones: [{ title: 'Fix, regression test and explanation', tok: 260_000, hours: 120 }],
  },
  privateWaiting: {
    title: 'Penetration test of the staging API',
    criteria:
      'The scope is the list of 31 routes that we agreed on. Each finding comes with a request that reproduces it, its severity by CVSS 4.0 and a suggested fix. One retest is included.',
    milestones: [{ title: 'Report and retest', tok: 480_000, hours: 240 }],
  },
  working: {
    title: 'Design system for a public transport app',
    criteria:
      'The app shows departures, tickets and disruptions for four cities. All colours reach a contrast of 4.5:1 in light and dark mode, and every component works at twice the usual text size.\n\nDeliver a Figma library with variables, and tokens as JSON that our build can read. Every component has its states: default, pressed, disabled, loading, error.',
    milestones: [
      { title: 'Type, colour and spacing tokens', tok: 120_000, hours: 120 },
      { title: 'Twelve components with all states', tok: 280_000, hours: 240 },
      { title: 'Recorded handover to two developers', tok: 60_000, hours: 72 },
    ],
  },
  revised: {
    title: 'Rewrite an electricity tariff in plain language',
    criteria:
      'Turn a price list of 14 pages into four pages that a customer understands at first reading. The language level is B1. Every number must match the source, and the table of fees must fit on one page. We check with five customers, who have to answer ten questions from the text.',
    milestones: [{ title: 'Four pages, ready for layout', tok: 88_000, hours: 120 }],
  },
  privateWorking: {
    title: 'Edit season two of a podcast, episodes 1 to 6',
    criteria:
      'Six episodes of 35 minutes, two speakers each. Remove breaks and repetitions, level the voices to -16 LUFS, add the given intro and chapter marks. One round of changes per episode.',
    milestones: [
      { title: 'Episodes 1 to 3', tok: 90_000, hours: 168 },
      { title: 'Episodes 4 to 6', tok: 90_000, hours: 168 },
    ],
  },
  underNotice: {
    title: 'Write the manual of a home weather station',
    criteria:
      'Thirty pages for people who have never held a screwdriver: unpacking, mounting, the app, and what to do when it does not connect. Every step has a photo or a drawing. The sales of the station have been stopped since this task began.',
    milestones: [
      { title: 'Unpacking and mounting', tok: 60_000 },
      { title: 'App and troubleshooting', tok: 60_000 },
    ],
  },
  inReview: {
    title: 'Load test of a ticket shop before a festival sale',
    criteria:
      'Write k6 scripts for browsing, reserving and paying, and run them against our test system at night. Find the number of users at which a reservation takes more than two seconds; we expect it between 500 and 5,000.\n\nThe report has graphs, the limiting part of the system, and the three cheapest improvements with an estimate of their effect.',
    milestones: [{ title: 'Scripts, test runs and report', tok: 200_000, hours: 144 }],
  },
  reviewLapsed: {
    title: 'Restore 30 family photographs from scans',
    criteria:
      'The scans have 1,200 dpi; most photos are from 1920 to 1955. Remove scratches, dust and mould stains, keep the grain, and do not sharpen or repaint faces. Deliver 16 bit TIFF files beside the originals, and a note for each photo where a detail had to be guessed.',
    milestones: [{ title: 'All 30 photographs', tok: 110_000, hours: 168 }],
  },
  receiptMissing: {
    title: 'Subtitles for a 40 minute film, Finnish to English',
    criteria:
      'Timed to the cut of 3 May. At most two lines of 42 characters, at least one second and at most seven on screen, no more than 17 characters a second. Deliver SRT and a list of passages you are not sure of. Names of places stay in Finnish.',
    milestones: [{ title: 'Timed English subtitles', tok: 115_000, hours: 120 }],
  },
  overdue: {
    title: 'Terraform modules for a small Postgres fleet',
    criteria:
      'Three environments with one primary and one replica each. Point-in-time recovery is shown to work in a recorded test, and no secret appears in the state file. The modules pass `tflint` and come with an example that we can apply to an empty account in under 30 minutes.',
    milestones: [{ title: 'Modules, example and recovery test', tok: 300_000 }],
  },
  disputeOpen: {
    title: 'Train a defect classifier for glass bottles',
    criteria:
      'We provide 8,000 labelled photos of bottles with six kinds of defects. The classifier reaches a recall of 0.97 and a precision of 0.90 on the photos we hold back.\n\nDeliver the weights, a training script that anyone can run again on one GPU, and a model card that names where it fails. Inference takes less than 50 ms on the given board.',
    milestones: [{ title: 'Model, training script and model card', tok: 420_000, hours: 240 }],
  },
  disputeEvidence: {
    title: 'Brush lettering for a restaurant’s winter menu',
    criteria:
      'Six headings and the name of the restaurant, drawn with a brush and delivered as clean vector files. The letters must be readable at 12 mm on cotton paper. Send three styles first. We name Jun as the arbitrator, should we not agree.',
    milestones: [{ title: 'Seven vector files', tok: 150_000, hours: 120 }],
  },
  disputeNamed: {
    title: 'Migrate a shop’s mail templates to MJML',
    criteria:
      'Twelve templates that look the same in the eight mail programs of the list, with the texts unchanged. We have agreed on Mateo as the arbitrator.',
    milestones: [{ title: 'Twelve templates', tok: 90_000 }],
  },
  disputeSteppedDown: {
    title: 'Measure the noise of six heat pumps at night',
    criteria:
      'One hour for each pump, between 23:00 and 04:00, with a calibrated meter at the distance in the plan. The raw files, the weather and the certificate of the meter are part of the delivery.',
    milestones: [{ title: 'Six measurements', tok: 120_000 }],
  },
  disputeRuled: {
    title: 'Rewrite the onboarding emails of a tax app',
    criteria:
      'Five emails in two versions each, for a test of one against the other. Subject lines have fewer than 45 characters. Every claim is on our lawyer’s list of approved statements; the list is attached. The tone is calm and direct, as in the three samples.',
    milestones: [{ title: 'Ten emails with subject lines', tok: 100_000, hours: 96 }],
  },
  disputeAppealed: {
    title: 'Port a loyalty card app from Java to Kotlin',
    criteria:
      'The behaviour stays the same: the 140 existing tests pass without a change, and there is no new dependency. Nullability is expressed in types instead of checks. No file has more than 400 lines, and the app still starts on Android 9.',
    milestones: [{ title: 'Ported app, all tests passing', tok: 380_000, hours: 240 }],
  },
  completed: {
    title: 'Survey of heat pump owners in three villages',
    criteria:
      'We want to know what owners spent, what they save and what surprised them. The questionnaire has at most 20 questions and takes ten minutes.\n\nThe result is 120 complete answers, at least 30 from each village, anonymous data as CSV, and an analysis with confidence intervals and its limits.',
    milestones: [
      { title: 'Questionnaire and sample', tok: 70_000, hours: 120 },
      { title: '120 answers and the analysis', tok: 170_000, hours: 120 },
    ],
  },
  completedUnderNotice: {
    title: 'Translate a museum guide from Dutch to English',
    criteria:
      'Forty short texts in British English, for adults without prior knowledge. Names of works stay in Dutch, with a translation in brackets. The glossary of the museum is binding.',
    milestones: [
      { title: 'Rooms 1 to 5', tok: 50_000 },
      { title: 'Rooms 6 to 9', tok: 40_000 },
    ],
  },
  completedBySilence: {
    title: 'Check the facts of a feature on tidal power',
    criteria:
      'The article has 3,800 words. Every figure, name and quotation is marked as confirmed, wrong or not confirmed, with the source for each. Call two of the five people quoted. A memo of at most two pages lists what must change before printing.',
    milestones: [{ title: 'Annotated article and memo', tok: 84_000, hours: 96 }],
  },
  privateCompleted: {
    title: 'Review of a token sale contract',
    criteria:
      'One contract of 380 lines at the commit that we agreed on. The review covers access control, rounding, reentrancy and the withdrawal path. Findings come with a failing test.',
    milestones: [{ title: 'Review report with tests', tok: 320_000, hours: 168 }],
  },
  cancelled: {
    title: 'Interpreter for a factory visit in Gdańsk',
    criteria:
      'Polish and English, one working day with a group of six, including a safety briefing and a tour of the paint shop. Experience with technical visits is needed. Travel within the city is included; safety shoes are provided.',
    milestones: [{ title: 'One day of interpreting', tok: 130_000 }],
  },
  mutuallyCancelled: {
    title: 'Score for a 12 minute documentary',
    criteria:
      'Solo cello and electronics, about eight minutes of music in all. The picture is locked; a cue sheet with moods and timings is attached. Deliver stems at 48 kHz and 24 bit, and a stereo mix. Two rounds of changes are included in the second part.',
    milestones: [
      { title: 'Sketches of all five cues', tok: 240_000, hours: 168 },
      { title: 'Recorded score, mix and stems', tok: 160_000, hours: 240 },
    ],
  },
  abandoned: {
    title: 'Firmware for a battery-powered door counter',
    criteria:
      'An ESP32 with two light barriers counts people in and out and sends a total every 15 minutes by LoRaWAN. It runs for a year on the given battery, which you show with a current measurement. At least 97 of 100 passages are counted right in our test. Schematics are provided.',
    milestones: [{ title: 'Firmware, measurements and build notes', tok: 350_000, hours: 240 }],
  },
  reopened: {
    title: 'Edit a family history of 240 pages',
    criteria:
      'The manuscript has 71,000 words. We need an editor for structure, repetition and dates; the voice stays the author’s. Start with a sample of five pages, so that we can agree on how far you go.\n\nDeliver tracked changes in DOCX, and a timeline of all people and dates with the contradictions you found.',
    milestones: [{ title: 'Edited manuscript and timeline', tok: 190_000, hours: 336 }],
  },
  expiredUnclaimed: {
    title: 'Type out a ship’s log of 1931',
    criteria:
      'The log has 64 typewritten pages with notes in pencil. Keep the old spelling and the line breaks, mark illegible words with their likely length, and transcribe the pencil notes as footnotes. No more than two errors a page in the five pages that we check.',
    milestones: [{ title: 'Transcript of 64 pages', tok: 56_000, hours: 168 }],
  },
  expiredLate: {
    title: 'Monitoring dashboard for a greenhouse',
    criteria:
      'Grafana shows temperature, humidity and soil moisture of twelve sensors for the last day, week and season. Alerts go out by email when frost is possible or a sensor is silent for an hour. One page explains it to a gardener without technical training.',
    milestones: [{ title: 'Dashboard, alerts and guide', tok: 125_000 }],
  },
  privateExpired: {
    title: 'Pitch deck of twelve slides',
    criteria:
      'From the notes we shared: one message per slide, charts redrawn from the spreadsheet, and an editable file.',
    milestones: [{ title: 'Twelve slides', tok: 75_000, hours: 96 }],
  },
  resolvedForWorker: {
    title: 'Packaging design for three kinds of tea',
    criteria:
      'The die lines are given. Each box uses at most two spot colours and the shared logo, and the three must be told apart at two metres. Deliver PDF/X-4 files that pass the printer’s preflight, and the open files. Ingredients and weights come from the attached sheet.',
    milestones: [{ title: 'Three boxes, ready to print', tok: 165_000, hours: 168 }],
  },
  resolvedForPoster: {
    title: 'Collect and clean ten years of auction results',
    criteria:
      'Public pages of four auction houses, at one request in two seconds at most. Every lot has date, artist, title, size, estimate and price; prices are in the original currency and in euros of the sale’s day. At least 98 % of the lots are complete, measured on a random sample of 300.',
    milestones: [{ title: 'Cleaned data set with a description', tok: 145_000, hours: 168 }],
  },
  resolvedByCourt: {
    title: 'Structural calculation for a garden pavilion',
    criteria:
      'A timber pavilion of 5 x 4 metres in snow zone 3, on six point foundations. Deliver a calculation by Eurocode 5 that a second engineer can check, and drawings from which a carpenter can build: plan, two sections, and the joints at 1:5.',
    milestones: [{ title: 'Calculation and drawings', tok: 280_000, hours: 168 }],
  },
  resolvedByTime: {
    title: 'Four lessons in music engraving with LilyPond',
    criteria:
      'Four lessons of 60 minutes by video call, recorded, with exercises between them. After the last lesson the pupil can set a song for voice and piano with lyrics, chords and a clean page turn without help.',
    milestones: [{ title: 'Four lessons and exercises', tok: 98_000, hours: 168 }],
  },
  resolvedMutually: {
    title: 'Explainer film of 90 seconds, 2D animation',
    criteria:
      'Script and voice are given. Send three style frames before you animate. The film has 25 frames a second, comes in 16:9 and 1:1, and works without sound: every key statement is also on screen. Project files are part of the delivery.',
    milestones: [{ title: 'Finished film in both formats', tok: 360_000, hours: 240 }],
  },
  conceded: {
    title: 'Full-text search for a local newspaper’s archive',
    criteria:
      'The archive has 1,200 scanned pages from 1948 to 1962, two thirds of them in Fraktur. Character errors stay below 2 % on 20 pages that we chose. The search finds words across line breaks, marks them on the page image and answers within a second.',
    milestones: [
      { title: 'Recognised text of 1,200 pages', tok: 180_000, hours: 168 },
      { title: 'Search with marked results', tok: 150_000, hours: 168 },
    ],
  },
} satisfies Record<string, Brief>
