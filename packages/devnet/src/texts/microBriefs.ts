import type { Brief } from './brief.ts'
import type { standardBriefs } from './standardBriefs.ts'

/** The tasks of the micro market, by the scenario they play. */
export const microBriefs: Record<keyof typeof standardBriefs, Brief> = {
  open: {
    title: 'Write alt texts for 40 museum photos',
    criteria:
      'One sentence for each photo, under 125 characters. Say what can be seen and leave out what it means. Do not begin with "Photo of". Deliver a CSV file with two columns: file name and text.',
    milestones: [{ title: 'CSV file with 40 texts', tok: 4_800 }],
  },
  openUnfunded: {
    title: 'Check and correct 60 opening hours',
    criteria:
      'Look up every entry on the website of the place itself, not on a map service. Correct the sheet, mark what you changed, and link the page you used. Add hours for public holidays where they are given.',
    milestones: [
      { title: '30 libraries', tok: 2_800, hours: 12 },
      { title: '30 swimming pools', tok: 2_800, hours: 12 },
    ],
  },
  permitOnly: {
    title: 'Read 20 product names aloud in Hungarian',
    criteria:
      'Record every name twice at a natural speed, in a quiet room, as 48 kHz WAV. Native speakers only: ask for a permit and send a sample of ten seconds. One file per name, named by the number in the list.',
    milestones: [{ title: '20 recordings', tok: 4_200, hours: 24 }],
  },
  claimClosed: {
    title: 'Ask ten people over 60 which of five icons they understand',
    criteria:
      'Show the five icons one by one, without a hint, and write down the first thing each person says. Deliver one table: age, icon, answer. Names are not needed.',
    milestones: [{ title: 'Table with 50 answers', tok: 6_000, hours: 24 }],
  },
  awaitingFunds: {
    title: 'Transcribe a 22 minute interview in German',
    criteria:
      'Two speakers and good sound. Mark the speakers, add a time stamp every minute, and leave the language as it is: no smoothing of half sentences. Words you cannot make out are marked with their time.',
    milestones: [{ title: 'Transcript as DOCX', tok: 8_600, hours: 24 }],
  },
  claimLapsed: {
    title: 'Sort 300 support emails into 12 topics',
    criteria:
      'Use the guide with two examples per topic. An email can have one topic only; mark the doubtful ones in a third column. We accept up to ten differences from our own sorting of 100 of them.',
    milestones: [{ title: 'Sorted sheet', tok: 5_400, hours: 12 }],
  },
  readyToStart: {
    title: 'Convert 25 recipes to metric units',
    criteria:
      'Round to what a kitchen scale shows: 5 g, or 1 g for yeast and spices. Cups of flour, sugar and butter become grams by the attached table. Change nothing else in the Markdown files.',
    milestones: [{ title: '25 converted recipes', tok: 4_000, hours: 8 }],
  },
  privateWaiting: {
    title: 'Label 500 more leaf photos',
    criteria:
      'The same guide and the same eight species as last week. At least 96 of the 100 control photos are right.',
    milestones: [{ title: '500 labels', tok: 8_400, hours: 24 }],
  },
  working: {
    title: 'Collect 90 job adverts for cable technicians',
    criteria:
      'Adverts of the last 60 days, 30 from each country. The sheet has job title, employer, town, pay if it is given, date and link. No advert twice, and at most five from one employer.',
    milestones: [
      { title: '30 adverts from Austria', tok: 3_200, hours: 10 },
      { title: '30 adverts from Czechia', tok: 3_200, hours: 10 },
      { title: '30 adverts from Poland', tok: 3_200, hours: 10 },
    ],
  },
  revised: {
    title: 'Draw a favicon for a beekeepers’ forum',
    criteria:
      'One SVG file that is readable at 16 pixels, in two colours, on light and on dark backgrounds. No text. Show it at 16, 32 and 180 pixels next to the icons of two other sites.',
    milestones: [{ title: 'Favicon as SVG', tok: 6_000, hours: 24 }],
  },
  privateWorking: {
    title: 'Check a price feed at 07:00 UTC for seven days',
    criteria:
      'Compare the five prices with the two sources that we agreed on, and report a difference of more than 0.5 % within ten minutes.',
    milestones: [{ title: 'Seven daily checks', tok: 7_000, hours: 168 }],
  },
  underNotice: {
    title: 'Collect the opening hours of 60 bakeries',
    criteria:
      'One row for each bakery of the sheet: hours of every weekday, source, and the date of the source. A call counts as a source. Mark bakeries that have closed for good.',
    milestones: [
      { title: 'Bakeries 1 to 30', tok: 2_400 },
      { title: 'Bakeries 31 to 60', tok: 2_400 },
    ],
  },
  inReview: {
    title: 'Proofread a newsletter of 1,100 words in Spanish',
    criteria:
      'Correct spelling, grammar and punctuation with tracked changes. Do not rewrite; if a sentence is unclear, leave a comment. The house style is attached, and the names of people are already checked.',
    milestones: [{ title: 'Proofread newsletter', tok: 4_600, hours: 12 }],
  },
  reviewLapsed: {
    title: 'Find the current mayors of 50 towns',
    criteria:
      'Fill in the sheet: name, party, in office since when, and a link to the official page. A newspaper is a valid source only if the town has no page. Mark offices that are vacant.',
    milestones: [{ title: 'Sheet with 50 towns', tok: 4_500, hours: 12 }],
  },
  receiptMissing: {
    title: 'Cut out 12 product photos of ceramics',
    criteria:
      'Transparent PNG files, 2,000 pixels wide, with clean edges at handles and a soft shadow under the object. Keep the colours as they are. File names stay the same.',
    milestones: [{ title: '12 PNG files', tok: 4_700, hours: 24 }],
  },
  overdue: {
    title: 'Count the fast chargers at 15 motorway services',
    criteria:
      'Use the operators’ pages and recent photos, and name the source where they differ. The table has site, direction, number of chargers above 100 kW, plug types and the date of the source.',
    milestones: [{ title: 'Table of 15 sites', tok: 3_800 }],
  },
  disputeOpen: {
    title: 'Subtitle a product film of six minutes in English',
    criteria:
      'SRT with two lines at most and no more than 17 characters a second. The subtitles begin with the voice and never cross a cut. Product names are written as on the website.',
    milestones: [{ title: 'SRT file', tok: 6_400, hours: 12 }],
  },
  disputeEvidence: {
    title: 'Rate 200 search results for relevance',
    criteria:
      'Four grades, by the attached guide. Twenty pairs appear twice to check that you are consistent; at least 17 of them must match. We name Jun as the arbitrator, should we not agree.',
    milestones: [{ title: '200 ratings', tok: 5_000, hours: 12 }],
  },
  disputeNamed: {
    title: 'Label the vegetables in 150 photos',
    criteria:
      'One label for every vegetable that is cut by less than half, by the list of 40 names. We have agreed on Mateo as the arbitrator, should we see a photo differently.',
    milestones: [{ title: '150 labelled photos', tok: 5_200 }],
  },
  disputeSteppedDown: {
    title: 'Transcribe a voice message in dialect',
    criteria:
      'Eleven minutes, two speakers, written as it is spoken and once more in standard German. Words that you do not understand are marked with the time, not guessed.',
    milestones: [{ title: 'Both versions', tok: 4_800 }],
  },
  disputeRuled: {
    title: 'Record the step-free entrances of ten cafés in Ghent',
    criteria:
      'For every café: one photo of the entrance, the height of the step in centimetres, the width of the door, and whether there is a ramp or a bell. Addresses are in the sheet.',
    milestones: [{ title: 'Ten cafés with photos', tok: 9_000, hours: 48 }],
  },
  disputeAppealed: {
    title: 'Extract the tables of a 30 page annual report',
    criteria:
      'One CSV file for each of the 17 tables, with the page number in its name. Totals must match the printed ones. Footnotes go into a column of their own, and negative numbers have a minus sign.',
    milestones: [{ title: '17 CSV files', tok: 7_200, hours: 24 }],
  },
  completed: {
    title: 'Tag 400 recordings of bird calls',
    criteria:
      'Every recording has ten seconds and one of 25 species, or none. Listen with headphones. Mark those you are not sure of; up to 10 % are fine. A known sample of 40 is hidden among them, and 36 must be right.',
    milestones: [
      { title: 'Recordings 1 to 200', tok: 5_400, hours: 12 },
      { title: 'Recordings 201 to 400', tok: 5_400, hours: 12 },
    ],
  },
  completedUnderNotice: {
    title: 'Test the checkout of two web shops',
    criteria:
      'Ten runs for each shop by the script: browser, device, result, and a screenshot of every error. Use the test cards only, and stop before anything is charged.',
    milestones: [
      { title: 'First shop', tok: 3_000 },
      { title: 'Second shop', tok: 3_000 },
    ],
  },
  completedBySilence: {
    title: 'Compare the data sheets of eight soldering stations',
    criteria:
      'One table on one page: power, temperature range, heat-up time, tip series, weight, warranty and price with its date. Link every data sheet. Leave a cell empty rather than guess.',
    milestones: [{ title: 'Comparison table', tok: 4_600, hours: 12 }],
  },
  privateCompleted: {
    title: 'Voice-over for a 30 second spot, final take',
    criteria: 'British English, female voice, the pace of the second demo. Dry WAV at 48 kHz, three takes.',
    milestones: [{ title: 'Three takes', tok: 18_000, hours: 24 }],
  },
  cancelled: {
    title: 'Test a sign-up form on five old phones',
    criteria:
      'Two iPhones with iOS 15 or older and three Android phones with version 9 or older. Take a screenshot of every step and note what broke, on which phone and in which browser.',
    milestones: [{ title: 'Report with screenshots', tok: 7_900, hours: 24 }],
  },
  mutuallyCancelled: {
    title: 'Translate 120 menu items, Greek to English',
    criteria:
      'Short names that a guest can order from. Keep the numbers of the allergens, and leave the names of regional dishes in Latin letters with an explanation of up to six words.',
    milestones: [{ title: '120 translated items', tok: 6_100, hours: 12 }],
  },
  abandoned: {
    title: 'Write 15 quiz questions on the Hanseatic League',
    criteria:
      'For pupils aged 12 to 14. Four answers each, only one of them right, with a source for it. No question needs a year as its answer, and the wrong answers must be plausible.',
    milestones: [{ title: '15 questions with sources', tok: 5_300, hours: 12 }],
  },
  reopened: {
    title: 'Name the typefaces in ten photographed signs',
    criteria:
      'For each sign: typeface, foundry, year, and how sure you are from 1 to 3. If it was painted by hand, name the closest typeface. Add a link to a specimen.',
    milestones: [{ title: 'List of ten typefaces', tok: 3_600, hours: 24 }],
  },
  expiredUnclaimed: {
    title: 'Suggest 20 names for a garden tool shop',
    criteria:
      'At most ten letters, easy to say in English, German, French and Dutch, and free as a .com domain on the day you deliver. No invented suffixes. One line explains each name.',
    milestones: [{ title: '20 names', tok: 3_500, hours: 12 }],
  },
  expiredLate: {
    title: 'Check 100 links of a reading list',
    criteria:
      'Mark each link as working, moved or dead. Give the new address where a page moved, and a copy in a web archive where it is gone. Note pages that now ask for payment.',
    milestones: [{ title: 'Checked list', tok: 3_000 }],
  },
  privateExpired: {
    title: 'Clean the audio of a voice memo',
    criteria: 'Remove the hum and the traffic as far as the voice allows. 14 minutes, WAV in and WAV out.',
    milestones: [{ title: 'Cleaned recording', tok: 4_200, hours: 12 }],
  },
  resolvedForWorker: {
    title: 'Prepare the outline of a bridge for laser cutting',
    criteria:
      'From one photo: a DXF file, 20 cm wide, with closed paths only. No gap or bar is thinner than 0.8 mm, and all parts hang together. Cut lines and engraved lines are on two layers.',
    milestones: [{ title: 'DXF file', tok: 5_700, hours: 24 }],
  },
  resolvedForPoster: {
    title: 'Describe nine bakeries for a town guide',
    criteria:
      'Between 60 and 80 words each, in English, for visitors. Name one product, the best time to come and whether one can sit down. Everything must be true today: call or visit, and write down when you did.',
    milestones: [{ title: 'Nine descriptions', tok: 6_700, hours: 24 }],
  },
  resolvedByCourt: {
    title: 'Digitise 80 handwritten index cards',
    criteria:
      'JSON with the fields of the attached sample. Crossed-out words are kept in brackets, abbreviations stay as they are, and an unreadable word becomes a question mark. We check 15 cards; two errors are fine.',
    milestones: [{ title: '80 cards as JSON', tok: 6_600, hours: 24 }],
  },
  resolvedByTime: {
    title: 'Plan a rainy afternoon in Porto for two',
    criteria:
      'From 13:00 to 19:00, on foot and by tram, under EUR 40 in all. Opening hours are checked for a Monday, and every stop has a place to sit. One page with a map.',
    milestones: [{ title: 'One page plan', tok: 4_300, hours: 12 }],
  },
  resolvedMutually: {
    title: 'Draw the seating plans of four small theatres',
    criteria:
      'From photos and the box office lists. SVG, one element per seat with row and number in its id, wheelchair places marked. The number of seats must match the list.',
    milestones: [{ title: 'Four SVG plans', tok: 9_000, hours: 24 }],
  },
  conceded: {
    title: 'Caption 60 slides of a 1974 expedition',
    criteria:
      'Every slide gets one or two sentences from the scanned diary: place, date, people from left to right. Say when the diary does not mention a slide. Names are spelled as in the list of members.',
    milestones: [
      { title: 'Slides 1 to 30', tok: 4_900, hours: 12 },
      { title: 'Slides 31 to 60', tok: 4_900, hours: 12 },
    ],
  },
}
