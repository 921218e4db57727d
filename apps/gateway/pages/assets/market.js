/** Maximum number of pages in one export: 1,000 rows. */
const maxPages = 50

const form = document.getElementById('filters')
// Without a script the form works too. With one, empty fields stay out of the URL.
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const given = [...new FormData(form)].filter(([, value]) => value.trim() !== '')
  location.assign(`/market.html?${new URLSearchParams(given)}`)
})

for (const button of document.querySelectorAll('[data-export]')) {
  button.addEventListener('click', () => exportRows(button.dataset.export))
}

async function exportRows(kind) {
  const said = document.getElementById('exported')
  said.textContent = 'Collecting…'
  try {
    const rows = await collect()
    const text = kind === 'csv' ? csvOf(rows) : `${JSON.stringify(rows, null, 2)}\n`
    save(text, kind === 'csv' ? 'text/csv' : 'application/json', `tasks.${kind}`)
    said.textContent = `${rows.length} rows saved.`
  } catch {
    said.textContent = 'The gateway did not answer; nothing was saved. Try again.'
  }
}

/** Reads the rows of this page and the following pages. */
async function collect() {
  let page = document
  const rows = readRows(page)
  for (let count = 1; count < maxPages; count++) {
    const next = page.querySelector('a[rel="next"]')?.getAttribute('href')
    if (!next) break
    const response = await fetch(next, { signal: AbortSignal.timeout(30_000) })
    if (!response.ok) throw new Error(`status ${response.status}`)
    page = new DOMParser().parseFromString(await response.text(), 'text/html')
    rows.push(...readRows(page))
  }
  return rows
}

const readRows = (page) => JSON.parse(page.getElementById('rows').textContent)

/** Spreadsheets execute cells that start like a formula. A leading apostrophe makes them text. */
function csvOf(rows) {
  const names = Object.keys(rows[0] ?? { id: '' })
  const cell = (value) => {
    const text = String(value)
    const safe = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text
    return `"${safe.replaceAll('"', '""')}"`
  }
  const lines = [names, ...rows.map((row) => names.map((name) => row[name]))]
  return lines.map((line) => `${line.map(cell).join(',')}\r\n`).join('')
}

function save(text, type, name) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
}
