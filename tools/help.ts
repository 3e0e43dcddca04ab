/** `npm run help`: the commands for a shop’s owner. Tests and builds are in CONTRIBUTING.md. */
const GROUPS: Readonly<Record<string, readonly (readonly [command: string, what: string])[]>> = {
  'The shop': [
    ['start', 'the shop'],
    ['new-shop', 'asks what it is called and looks like; -- --pages drafts the pages that the law asks for'],
    ['doctor', 'what is wrong, and what to do'],
    ['todo', 'what needs a person'],
    ['audit', 'whether orders, libraries and the payment provider agree'],
    ['payments:set-up', 'prices and events at Stripe'],
  ],
  'What it sells': [
    ['import', 'books, catalogues (CSV, ONIX), texts, menus and lists'],
    ['titles', 'list, find, price, state, texts, free copies'],
    ['codes', 'discount codes'],
    ['cards', 'audiobooks on paper'],
    ['outlets', 'bookshops that sell cards'],
    ['newsletter', 'test, send, log, export'],
    ['sales', 'what was sold, with VAT'],
  ],
  'Its people': [
    ['withdrawals', 'statements of withdrawal that need you'],
    ['people', 'find, show, help and erase somebody'],
    ['orders', 'find, refund, send again'],
    ['members', 'end or give a membership'],
    ['mails', 'what waits, what was sent'],
  ],
  'Its machine': [
    ['backup', 'the whole shop in one file'],
    ['restore', 'a shop of a backup'],
    ['upgrade', 'another release, and back'],
    ['database', 'the address of the database, for psql'],
    ['database:migrate', 'the database at this release'],
    ['database:move', 'from the embedded PostgreSQL to one of your own'],
    ['media:move', 'from the folder into an object store'],
    ['media:sweep', 'files that nothing names any more'],
  ],
}

const lines = Object.entries(GROUPS).map(([title, commands]) =>
  [title, ...commands.map(([command, what]) => `  npm run ${command.padEnd(17)} ${what}`)].join('\n'),
)
console.log(
  `${lines.join('\n\n')}\n\nEach of them answers -- --help. docs/operations/README.md is the long form.`,
)
