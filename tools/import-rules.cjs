const { APP_FEATURES, SERVER_FEATURES, SERVER_LAYERS } = require('./import-tables.cjs')

/** Which module may import which (docs/architecture.md). Each comment says what to do instead. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const ABOVE_FEATURES = '^src/(app/|screens/|rout|main|entry)'
const TESTS = '\\.(test|spec)\\.tsx?$'

const pathOf = (folders) => `^server/(${folders.map((folder) => folder.replace('.', '\\.')).join('|')})(/|$)`

for (const [name, table] of Object.entries({ APP_FEATURES, SERVER_FEATURES })) {
  const cycle = cycleIn(table)
  if (cycle) throw new Error(`${name} of tools/import-tables.cjs has a cycle: ${cycle.join(' → ')}`)
}

/** The features of a cycle, with the first one repeated at the end; undefined if there is none. */
function cycleIn(table, from = Object.keys(table), path = []) {
  for (const feature of from) {
    if (path.includes(feature)) return [...path.slice(path.indexOf(feature)), feature]
    const found = cycleIn(table, table[feature] ?? [], [...path, feature])
    if (found) return found
  }
  return undefined
}

/** One rule for each feature, and one for a feature that the table has not. */
const onlyAsListed = ({ root, table, tableName, verb }) => [
  ...Object.entries(table).map(([feature, others]) =>
    rule(
      `${feature}-${verb}`,
      `Add the feature to ${tableName} of tools/import-tables.cjs if that makes no cycle; otherwise pass in what is needed, or emit a domain event.`,
      { path: `^${root}/${feature}/`, pathNot: TESTS },
      { path: `^${root}/`, pathNot: `^${root}/(${[feature, ...others].join('|')})/` },
    ),
  ),
  rule(
    `every-feature-${verb}`,
    `Add the new feature to ${tableName} of tools/import-tables.cjs.`,
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
      table: APP_FEATURES,
      tableName: 'APP_FEATURES',
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
      { path: '^(server|importer|demo|sandbox)/' },
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
    rule(
      'server-knows-no-importer',
      'The importer and the demo depend on the server. Only main.ts loads the demo.',
      { path: '^server/', pathNot: [TESTS, '^server/main\\.ts$'] },
      { path: '^(importer|demo)/' },
    ),
    rule(
      'importer-knows-no-demo',
      'The importer serves every shop.',
      { path: '^importer/', pathNot: TESTS },
      { path: '^(demo|src|sw|sandbox)/' },
    ),
    ...SERVER_LAYERS.slice(0, -1).map((folders, place) =>
      rule(
        `${folders[0].replace('.ts', '')}-looks-down`,
        'A lower layer never imports a higher one (SERVER_LAYERS of tools/import-tables.cjs): pass in what it needs, or move the file.',
        { path: pathOf(folders), pathNot: TESTS },
        { path: pathOf(SERVER_LAYERS.slice(place + 1).flat()) },
      ),
    ),
    rule(
      'every-folder-has-a-layer',
      'Add the new folder of the server to SERVER_LAYERS of tools/import-tables.cjs.',
      { path: '^server/', pathNot: [pathOf(SERVER_LAYERS.flat()), TESTS, '^server/db/drizzle'] },
      {},
    ),
    rule(
      'features-keep-their-routes',
      'A feature imports another one’s services and queries, never its routes.',
      { path: '^server/features/([^/]+)/', pathNot: TESTS },
      {
        path: '^server/features/[^/]+/.*routes\\.ts$',
        pathNot: '^server/features/$1/',
      },
    ),
    ...onlyAsListed({
      root: 'server/features',
      table: SERVER_FEATURES,
      tableName: 'SERVER_FEATURES',
      verb: 'imports-on-the-server',
    }),
    rule(
      'sql-lives-in-queries',
      'SQL is written in queries.ts and files whose names end so.',
      { path: '^server/', pathNot: ['queries\\.ts$', '^server/db/', TESTS] },
      { path: '^(server/db/schema/|node_modules/drizzle-orm/)', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'services-know-no-http',
      'Services throw a Refusal; error-responses.ts turns it into HTTP.',
      { path: '^server/(features/.*(service|queries)|codes/.*)\\.ts$', pathNot: TESTS },
      { path: '^(server/http/(error-responses|serve)\\.ts$|node_modules/(@?fastify)/|node:https?$|https?$)' },
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
