const { MAY_ASK, MAY_IMPORT, SERVER_ROOMS } = require('./wall-tables.cjs')

/** Who may know whom (docs/architecture.md). Each rule says what to do instead. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const ABOVE_FEATURES = '^src/(app/|screens/|rout|main|entry)'
const TESTS = '\\.(test|spec)\\.tsx?$'

const pathOf = (rooms) => `^server/(${rooms.map((room) => room.replace('.', '\\.')).join('|')})(/|$)`

const circle = circleIn(MAY_IMPORT)
if (circle) throw new Error(`MAY_IMPORT of tools/wall-tables.cjs goes in a circle: ${circle.join(' → ')}`)

/** The features of a circle, the first of them again at its end; undefined where there is none. */
function circleIn(table, from = Object.keys(table), path = []) {
  for (const feature of from) {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature]
    const found = circleIn(table, table[feature] ?? [], [...path, feature])
    if (found) return found
  }
  return undefined
}

/** One rule for each feature, and one for a feature that the table has not. */
const onlyAsListed = ({ root, table, tableName, verb }) => [
  ...Object.entries(table).map(([feature, others]) =>
    rule(
      `${feature}-${verb}`,
      `One feature more that another one knows: say so in ${tableName} of tools/wall-tables.cjs, or hand in what it needs.`,
      { path: `^${root}/${feature}/`, pathNot: TESTS },
      { path: `^${root}/`, pathNot: `^${root}/(${[feature, ...others].join('|')})/` },
    ),
  ),
  rule(
    `every-feature-${verb}`,
    `A new feature has a line in ${tableName} of tools/walls.cjs.`,
    { path: `^${root}/(?!(${Object.keys(table).join('|')})/)`, pathNot: TESTS },
    { path: `^${root}/` },
  ),
]

module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Two files that need each other are one idea or three: move the shared part down.',
      { pathNot: TESTS },
      { circular: true },
    ),
    rule(
      'contract-knows-nothing',
      'The contract imports only the schema library.',
      { path: '^contract/', pathNot: TESTS },
      { pathNot: ['^contract/', '^node_modules/typebox/'] },
    ),
    ...onlyAsListed({
      root: 'src/features',
      table: MAY_IMPORT,
      tableName: 'MAY_IMPORT',
      verb: 'imports',
    }),
    rule(
      'features-look-down',
      'A feature knows session, device, net, ui, format and the contract; app and screens compose it.',
      { path: '^src/features/', pathNot: TESTS },
      { path: ABOVE_FEATURES },
    ),
    rule(
      'app-is-below-screens',
      'app/ is the frame; what it draws inside comes as children.',
      { path: '^src/app/', pathNot: TESTS },
      { path: '^src/(screens/|rout|main|entry)' },
    ),
    rule(
      'screens-are-below-routes',
      'A screen takes what its address says as props; src/routes reads the address.',
      { path: '^src/screens/', pathNot: TESTS },
      { path: '^src/(rout|main|entry)' },
    ),
    rule(
      'routes-are-strangers',
      'A route leads to a screen; what two routes share is a screen or a feature.',
      { path: '^src/routes/' },
      { path: '^src/(rout|main|entry)' },
    ),
    rule(
      'session-looks-down',
      'session knows device and net.',
      { path: '^src/session/', pathNot: TESTS },
      { path: '^src/(app|screens|routes|features|ui)/' },
    ),
    rule(
      'device-looks-down',
      'device has no React and no screen: the service worker uses it too.',
      { path: '^src/device/', pathNot: TESTS },
      {
        path: [
          '^src/(app|screens|routes|features|session|ui)/',
          '^node_modules/(react|react-dom|@tanstack|zustand)/',
        ],
      },
    ),
    rule(
      'net-knows-no-screen',
      'net raises problems; screens say them.',
      // `use-online.ts` is net's one word to React; the worker, which has none, imports the rest.
      { path: '^src/net/', pathNot: [TESTS, '^src/net/use-online\\.ts$'] },
      {
        path: [
          '^src/(app|screens|routes|features|session|device|ui)/',
          '^node_modules/(react|react-dom|@tanstack)/',
        ],
      },
    ),
    rule(
      'ui-knows-no-noun',
      'ui is looks and behaviour; give it props.',
      { path: '^src/ui/', pathNot: TESTS },
      {
        path: '^(src/(app|screens|routes|features|session|device|net)/|contract/(?!durations|limits|messages))',
      },
    ),
    rule(
      'format-is-pure',
      'format imports nothing of ours.',
      { path: '^src/format/', pathNot: TESTS },
      { path: '^(src/(?!format)|contract/(?!durations|limits))' },
    ),
    rule(
      'client-takes-contract-as-types',
      'Schema code must not reach the bundle: import types of the contract, values only from calculations, durations, finished, limits, messages, plans and player-limits.',
      { path: '^(src|sw)/', pathNot: TESTS },
      {
        path: '^contract/(?!calculations/|durations|finished|limits|messages|plans|player-limits)',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'client-knows-no-server',
      'The wire is the contract.',
      { path: '^(src|sw)/', pathNot: TESTS },
      { path: '^(server|sandbox)/' },
    ),
    rule(
      'worker-is-small',
      'The worker knows device, net and the contract.',
      { path: '^sw/', pathNot: TESTS },
      { path: '^src/(?!device|net)' },
    ),
    rule(
      'server-knows-no-client',
      'The server knows the contract and the built renderer.',
      { path: '^server/', pathNot: TESTS },
      { path: '^(src|sw|sandbox)/' },
    ),
    ...SERVER_ROOMS.slice(0, -1).map((rooms, place) =>
      rule(
        `${rooms[0].replace('.ts', '')}-looks-down`,
        'A lower room never knows a higher one (SERVER_ROOMS of tools/wall-tables.cjs): hand in what it needs, or move the file.',
        { path: pathOf(rooms), pathNot: TESTS },
        { path: pathOf(SERVER_ROOMS.slice(place + 1).flat()) },
      ),
    ),
    rule(
      'every-room-has-its-line',
      'A new room of the server has its line in SERVER_ROOMS of tools/wall-tables.cjs.',
      { path: '^server/', pathNot: [pathOf(SERVER_ROOMS.flat()), TESTS, '^server/db/drizzle'] },
      {},
    ),
    rule(
      'rules-meet-rules',
      'A feature asks another one’s rules or views, never its rows, doors or engines.',
      { path: '^server/features/([^/]+)/', pathNot: TESTS },
      {
        path: '^server/features/',
        pathNot: [
          '^server/features/$1/',
          '^server/features/[^/]+/(rules|views|link-rules|ledger-rules)\\.ts$',
          // Types of what is sold and of what goes to the till, and the bag's way there.
          '^server/features/(sold/kinds|(orders|bag)/basket)\\.ts$',
        ],
      },
    ),
    ...onlyAsListed({ root: 'server/features', table: MAY_ASK, tableName: 'MAY_ASK', verb: 'asks' }),
    rule(
      'sql-lives-in-rows',
      'Queries are named in rows files; the import writes in bulk beside its steps.',
      { path: '^server/', pathNot: ['rows\\.ts$', '^server/(db|import)/', TESTS] },
      { path: '^(server/db/schema/|node_modules/drizzle-orm/)', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'rules-know-no-http',
      'Rules throw a Refusal of the shop; answer-problems.ts turns it into HTTP.',
      { path: '^server/(features/.*(rules|rows)|codes/.*)\\.ts$', pathNot: TESTS },
      { path: '^(server/wire/(answer-problems|serve)\\.ts$|node_modules/(@?fastify)/|node:https?$|https?$)' },
    ),
    rule(
      'dexie-lives-in-device',
      'Device data goes through src/device.',
      { path: '^(src|sw)/', pathNot: ['^src/device/', TESTS] },
      { path: '^node_modules/(dexie|idb-keyval)/' },
    ),
    rule(
      'ky-lives-in-net',
      'Calls go through net/call.ts.',
      { path: '^src/', pathNot: ['^src/net/', TESTS] },
      { path: '^node_modules/ky/' },
    ),
    rule(
      'sandbox-knows-nobody',
      'The sandbox stands in for a provider: it knows nothing of ours.',
      { path: '^sandbox/', pathNot: TESTS },
      { path: '^(src|server|contract|sw)/' },
    ),
    rule(
      'no-dumping-ground',
      'Name the folder after its subject.',
      {},
      { path: '/(utils|helpers|common|misc)/', pathNot: '^node_modules/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^var/', '\\.css$', 'routeTree\\.gen\\.ts$'] },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
}
