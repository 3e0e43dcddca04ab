/** What the server tells the page before its first call (server/pages/office-page.ts). */
export interface Facts {
  readonly name: string
  /** The shop's time zone. */
  readonly zone: string
  /** Where the office is open: browsers keep a passkey for one domain. */
  readonly origin: string
  readonly demo: boolean
}

let read: Facts | undefined

export function facts(): Facts {
  return (read ??= readFacts())
}

function readFacts(): Facts {
  const text = document.getElementById('office-facts')?.textContent
  if (!text) return { name: 'The shop', zone: 'UTC', origin: location.origin, demo: false }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the server wrote it
  return JSON.parse(text) as Facts
}
