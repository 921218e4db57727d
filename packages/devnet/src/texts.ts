import type { Market } from '@svc/protocol'

/** The text of a task with its title on the first line, and the amount of each milestone in whole TOK. */
export interface Brief {
  text: string
  tok: readonly number[]
}

/** The texts and amounts of the demo world's tasks. One TOK is USD 0.0025. */
export const briefs = {
  open: {
    standard: {
      text: 'Accessibility audit of a booking site\n\nTest the eight main pages of our ferry booking site with a screen reader and keyboard only. Deliver a report with one entry per problem: page, steps, WCAG 2.2 criterion, severity, suggested fix.',
      tok: [180_000],
    },
    micro: {
      text: 'Write alt texts for 40 museum photos\n\nOne sentence each, under 125 characters, saying what is to be seen and nothing else. Deliver as CSV: file name, text.',
      tok: [4_800],
    },
  },
  openUnfunded: {
    standard: {
      text: 'Move a Django 3 shop to Django 5\n\nMilestone 1: the test suite green on Django 4.2. Milestone 2: on Django 5.2. Milestone 3: a release note for the operators and one week of questions answered.',
      tok: [160_000, 160_000, 60_000],
    },
    micro: {
      text: 'Check and fix 60 opening hours\n\nFirst 30 libraries, then 30 swimming pools. Look up each on its own website, correct the sheet, link the page you used.',
      tok: [1_800, 1_800],
    },
  },
  permitOnly: {
    standard: {
      text: 'Translate a clinical consent form, English to Portuguese (Brazil)\n\n2,400 words. Only for translators we have spoken with: ask for a permit with two references from medical work.',
      tok: [96_000],
    },
    micro: {
      text: 'Read 20 product names aloud in Hungarian\n\nRecord each twice, natural speed, quiet room, 48 kHz WAV. Native speakers only: ask for a permit with a ten second sample.',
      tok: [3_200],
    },
  },
  claimClosed: {
    standard: {
      text: 'Photograph 12 shop fronts in Lyon, Presqu’île\n\nDaylight, straight on, no cars in front. Deliver the originals with coordinates and a signed release.',
      tok: [64_000],
    },
    micro: {
      text: 'Tell us which of these 5 icons reads best\n\nShow them to ten people over 60, write down what each said first. One table, no essay.',
      tok: [2_000],
    },
  },
  awaitingFunds: {
    standard: {
      text: 'Data pipeline from 14 weather stations to Parquet\n\nHourly CSV files come by SFTP. Validate, repair the known clock drift, write daily Parquet partitions, alert on gaps. Python, tests, a runbook.',
      tok: [220_000, 120_000],
    },
    micro: {
      text: 'Transcribe a 22 minute interview\n\nGerman, two speakers, good sound. Speaker labels, time stamps each minute, no smoothing of the language.',
      tok: [5_600],
    },
  },
  claimLapsed: {
    standard: {
      text: 'Illustrate a picture book spread\n\nA night market seen from above, ink and watercolour, 60 x 30 cm at 300 dpi. Two sketches first.',
      tok: [140_000],
    },
    micro: {
      text: 'Sort 300 support mails into 12 topics\n\nUse the guide, mark doubtful ones, no answers needed.',
      tok: [2_400],
    },
  },
  readyToStart: {
    standard: {
      text: 'Reproduce and fix a memory leak in our image service\n\nRust, about 6,000 lines. The heap grows by 40 MB an hour under the attached load script. Deliver the fix, a regression test and a short explanation.',
      tok: [260_000],
    },
    micro: {
      text: 'Convert 25 recipes to metric units\n\nRound to what a kitchen scale shows, keep the author’s words otherwise. Markdown in, Markdown out.',
      tok: [3_000],
    },
  },
  privateWaiting: {
    standard: { text: 'Penetration test of the staging API, scope as agreed in chat', tok: [480_000] },
    micro: { text: 'Label 500 more leaf photos, same guide as last week', tok: [6_400] },
  },
  working: {
    standard: {
      text: 'Design system for a public transport app\n\nMilestone 1: type, colour and spacing tokens. Milestone 2: twelve components in Figma with states. Milestone 3: handover to two developers, recorded.',
      tok: [120_000, 280_000, 60_000],
    },
    micro: {
      text: 'Collect 90 job adverts for cable technicians\n\nThree batches of 30, one per country: Austria, Czechia, Poland. Title, employer, pay if given, link, date.',
      tok: [2_200, 2_200, 2_200],
    },
  },
  revised: {
    standard: {
      text: 'Explain our tariff in plain language\n\nTurn a 14 page price list into four pages a customer understands. Reading level B1, English, every number checked against the source.',
      tok: [88_000],
    },
    micro: {
      text: 'Draw a favicon for a beekeepers’ forum\n\nSVG, readable at 16 pixels, two colours, light and dark background.',
      tok: [4_000],
    },
  },
  privateWorking: {
    standard: { text: 'Second season of the podcast: editing of episodes 1 to 6', tok: [90_000, 90_000] },
    micro: { text: 'Daily check of the price feed at 07:00 UTC, this week', tok: [7_000] },
  },
  inReview: {
    standard: {
      text: 'Load test of a ticket shop before the festival sale\n\nk6 scripts for browse, reserve, pay; find the knee between 500 and 5,000 users; report with graphs and the three cheapest improvements.',
      tok: [200_000],
    },
    micro: {
      text: 'Proofread a 1,100 word newsletter in Spanish\n\nTracked changes, no rewriting, house style attached.',
      tok: [3_600],
    },
  },
  reviewLapsed: {
    standard: {
      text: 'Restore 30 family photographs\n\nScans at 1200 dpi are provided. Remove scratches and mould, keep the grain, do not sharpen faces.',
      tok: [110_000],
    },
    micro: {
      text: 'Find the current mayor of 50 towns\n\nName, since when, official page. Sheet provided.',
      tok: [2_500],
    },
  },
  overdue: {
    standard: {
      text: 'Terraform modules for a small Postgres fleet\n\nThree environments, point-in-time recovery tested, no secrets in state. Examples included.',
      tok: [300_000],
    },
    micro: {
      text: 'Count the chargers at 15 motorway stops\n\nFrom operators’ pages and recent photos; say which source when they differ.',
      tok: [2_800],
    },
  },
  disputeOpen: {
    standard: {
      text: 'Train and document a defect classifier for glass bottles\n\n8,000 labelled photos provided, recall above 0.97 on the held-out set, a script that anyone can rerun.',
      tok: [420_000],
    },
    micro: {
      text: 'Subtitle a 6 minute product film, English\n\nSRT, two lines at most, 17 characters a second at most.',
      tok: [4_400],
    },
  },
  disputeEvidence: {
    standard: {
      text: 'Calligraphy for a restaurant’s winter menu\n\nSix headings and the name, brush, delivered as vector files. Jun is agreed on as arbitrator should we differ.',
      tok: [150_000],
    },
    micro: {
      text: 'Rate 200 search results for relevance\n\nFour grades, guide attached, ten of them are checks. Jun is agreed on as arbitrator.',
      tok: [3_000],
    },
  },
  disputeRuled: {
    standard: {
      text: 'Rewrite the onboarding mails of a tax app\n\nFive mails, A and B version, subject lines under 45 characters, claims checked by our lawyer’s list.',
      tok: [100_000],
    },
    micro: {
      text: 'Map the wheelchair entrances of 10 cafés in Ghent\n\nOne photo and one sentence each.',
      tok: [4_000],
    },
  },
  disputeAppealed: {
    standard: {
      text: 'Port a loyalty card app from Java to Kotlin\n\nSame behaviour, the existing 140 tests pass unchanged, no new dependencies.',
      tok: [380_000],
    },
    micro: {
      text: 'Extract the tables of a 30 page annual report\n\nOne CSV a table, totals checked, footnotes kept.',
      tok: [5_200],
    },
  },
  completed: {
    standard: {
      text: 'Survey of heat pump owners in three villages\n\nMilestone 1: questionnaire and sample. Milestone 2: 120 answers and an analysis with confidence intervals.',
      tok: [70_000, 170_000],
    },
    micro: {
      text: 'Tag 400 bird calls\n\nTwo batches of 200, ten seconds each, list of 25 species.',
      tok: [3_400, 3_400],
    },
  },
  completedBySilence: {
    standard: {
      text: 'Fact-check a feature on tidal power\n\n3,800 words, every figure and quotation sourced, a memo of what could not be confirmed.',
      tok: [84_000],
    },
    micro: {
      text: 'Compare the data sheets of 8 soldering irons\n\nOne table, one page, sources linked.',
      tok: [2_600],
    },
  },
  privateCompleted: {
    standard: { text: 'Review of the vesting contract, as discussed', tok: [320_000] },
    micro: { text: 'Voice-over for the 30 second spot, final take', tok: [8_000] },
  },
  cancelled: {
    standard: {
      text: 'Interpreter for a factory visit in Gdańsk\n\nPolish and English, one day, safety shoes provided. Cancelled if the visit moves.',
      tok: [130_000],
    },
    micro: {
      text: 'Test a sign-up form on five old phones\n\nScreenshots of each step, what broke and where.',
      tok: [3_900],
    },
  },
  mutuallyCancelled: {
    standard: {
      text: 'Score for a 12 minute documentary\n\nSolo cello and electronics, stems delivered, mood board attached.',
      tok: [240_000, 160_000],
    },
    micro: { text: 'Translate 120 menu items, Greek to English\n\nShort, appetising, allergens kept.', tok: [4_100] },
  },
  abandoned: {
    standard: {
      text: 'Firmware for a door counter\n\nESP32, two break beams, battery for a year, results by LoRaWAN. Schematics provided.',
      tok: [350_000],
    },
    micro: {
      text: 'Write 15 quiz questions on the Hanseatic League\n\nFour answers each, source for the right one.',
      tok: [3_300],
    },
  },
  reopened: {
    standard: {
      text: 'Edit a 240 page family history\n\nStructure, repetition, dates; the voice stays the author’s. Sample of five pages first.',
      tok: [190_000],
    },
    micro: { text: 'Name the fonts in 10 photographed signs\n\nName, foundry, how sure you are.', tok: [2_100] },
  },
  expiredUnclaimed: {
    standard: {
      text: 'Retype a typewritten ship’s log of 1931\n\n64 pages, old spelling kept, illegible words marked.',
      tok: [56_000],
    },
    micro: {
      text: 'Suggest 20 names for a rain barrel\n\nFree as .com and pronounceable in four languages.',
      tok: [1_500],
    },
  },
  expiredLate: {
    standard: {
      text: 'Monitoring dashboard for a greenhouse\n\nGrafana, twelve sensors, alerts by mail, a page a gardener understands.',
      tok: [125_000],
    },
    micro: {
      text: 'Check 100 links on a link list\n\nDead, moved or fine; the new address where it moved.',
      tok: [1_900],
    },
  },
  privateExpired: {
    standard: { text: 'Pitch deck, twelve slides, from the notes we shared', tok: [75_000] },
    micro: { text: 'Clean the audio of one voice memo, as agreed', tok: [2_200] },
  },
  resolvedForWorker: {
    standard: {
      text: 'Packaging for three kinds of tea\n\nDielines given, print-ready PDF/X-4, spot colours limited to two.',
      tok: [165_000],
    },
    micro: { text: 'Outline a bridge photo for laser cutting\n\nClosed paths only, 20 cm wide, DXF.', tok: [3_700] },
  },
  resolvedForPoster: {
    standard: {
      text: 'Scrape and clean 10 years of auction results\n\nPublic pages only, polite rate, currencies normalised, 98 % of lots complete.',
      tok: [145_000],
    },
    micro: {
      text: 'Write a limerick for each of our 9 bakeries\n\nClean, true to the place, no rhymes on the street name.',
      tok: [2_700],
    },
  },
  resolvedByPanel: {
    standard: {
      text: 'Statics of a garden pavilion, calculation and drawings\n\nTimber, 5 x 4 m, snow zone 3. Checkable calculation, drawings for the carpenter.',
      tok: [280_000],
    },
    micro: {
      text: 'Digitise 80 handwritten index cards\n\nJSON, fields as in the sample, crossed out words kept in brackets.',
      tok: [4_600],
    },
  },
  resolvedByRecord: {
    standard: {
      text: 'Teach me enough Lilypond in four lessons\n\n60 minutes each, recorded, with exercises; at the end I typeset my own song.',
      tok: [98_000],
    },
    micro: {
      text: 'Plan a rainy afternoon in Porto for two\n\nOn foot, opening hours checked, under EUR 40.',
      tok: [2_300],
    },
  },
  resolvedMutually: {
    standard: {
      text: 'Onboarding film, 90 seconds, 2D animation\n\nScript and voice given, style frames first, 25 fps.',
      tok: [360_000],
    },
    micro: { text: 'Draw seat plans of 4 small theatres\n\nFrom photos, SVG, seats numbered.', tok: [5_000] },
  },
  conceded: {
    standard: {
      text: 'Search for a local newspaper’s archive\n\nMilestone 1: OCR of 1,200 pages, errors under 2 %. Milestone 2: full-text search with highlighting.',
      tok: [180_000, 150_000],
    },
    micro: {
      text: 'Caption 60 slides of a 1974 expedition\n\nFirst 30, then 30, from the diary scans.',
      tok: [2_900, 2_900],
    },
  },
} as const satisfies Record<string, Record<Market, Brief>>

export type ScenarioName = keyof typeof briefs
