const { cycleIn } = require('./cycle-in.ts')
const { SERVER_FEATURES, SERVER_LAYERS } = require('./import-tables.cjs')

/** Which module may import which (docs/architecture.md). Each comment says what to do instead. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })
const TESTS = '\\.(test|spec)\\.tsx?$'

const pathOf = (folders) => `^server/(${folders.map((folder) => folder.replace('.', '\\.')).join('|')})(/|$)`

const cycle = cycleIn(SERVER_FEATURES)
if (cycle) throw new Error(`SERVER_FEATURES of tools/import-tables.cjs has a cycle: ${cycle.join(' → ')}`)

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
    rule(
      'features-look-down',
      'A feature imports other features, writes, session, sync, storage, net, ui and format. The shell (app) and routes compose features. tools/lint.ts checks that features have no cycle.',
      { path: '^src/features/', pathNot: TESTS },
      { path: '^src/(app/|rout|main|entry)' },
    ),
    rule(
      'app-is-below-routes',
      'app/ is the shell around a screen; the screen comes as children.',
      { path: '^src/app/', pathNot: TESTS },
      { path: '^src/(rout|main|entry)' },
    ),
    rule(
      'routes-know-no-router',
      'src/router.tsx knows every route, so a route that imported it would be a cycle.',
      { path: '^src/routes/', pathNot: TESTS },
      { path: '^src/(router|routeTree|main|entry)' },
    ),
    rule(
      'routes-are-strangers',
      'What two routes share is in a folder of src/routes that begins with a dash, or in a feature.',
      { path: '^src/routes/' },
      { path: '^src/routes/[^-]' },
    ),
    rule(
      'writes-know-no-noun',
      'writes sends calls for forms and buttons of any feature; pass in the call.',
      { path: '^src/writes/', pathNot: TESTS },
      { path: '^src/(app|routes|features|session|sync|storage|ui)/' },
    ),
    rule(
      'session-looks-down',
      'session knows sync, storage and net.',
      { path: '^src/session/', pathNot: TESTS },
      { path: '^src/(app|routes|features|writes|ui)/' },
    ),
    rule(
      'sync-looks-down',
      'sync has no React and no screen: the service worker uses it too.',
      { path: '^src/sync/', pathNot: TESTS },
      {
        path: [
          '^src/(app|routes|features|writes|session|ui)/',
          '^node_modules/(react|react-dom|@tanstack|zustand)/',
        ],
      },
    ),
    rule(
      'storage-looks-down',
      'storage has no React and knows no sync: the service worker uses it too.',
      { path: '^src/storage/', pathNot: TESTS },
      {
        path: [
          '^src/(app|routes|features|writes|session|sync|ui)/',
          '^node_modules/(react|react-dom|@tanstack|zustand)/',
        ],
      },
    ),
    rule(
      'net-knows-no-screen',
      'net throws a Problem; screens show it.',
      // `use-online.ts` is net's one word to React; the worker, which has none, imports the rest.
      { path: '^src/net/', pathNot: [TESTS, '^src/net/use-online\\.ts$'] },
      {
        path: [
          '^src/(app|routes|features|writes|session|sync|storage|ui)/',
          '^node_modules/(react|react-dom|@tanstack)/',
        ],
      },
    ),
    rule(
      'ui-knows-no-noun',
      'ui is looks and behaviour; give it props.',
      { path: '^src/ui/', pathNot: TESTS },
      {
        path: '^(src/(app|routes|features|writes|session|sync|storage|net)/|contract/(?!durations|limits|messages))',
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
      'Schema code must not reach the bundle: import types of the contract, values only from calculations, durations, finished, limits, messages, plans, player-limits, view-handover and wallets.',
      { path: '^(src|sw)/', pathNot: TESTS },
      {
        path: '^contract/(?!calculations/|durations|finished|limits|messages|plans|player-limits|view-handover|wallets)',
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
      'The worker knows sync, storage, net and the contract.',
      { path: '^sw/', pathNot: TESTS },
      { path: '^src/(?!sync|storage|net)' },
    ),
    rule(
      'server-knows-no-client',
      'The server knows the contract and the built renderer.',
      { path: '^server/', pathNot: TESTS },
      { path: '^(src|office|sw|sandbox)/' },
    ),
    rule(
      'office-is-imported-by-nobody',
      'The office is a bundle of its own: what shop and office share is in src/ui, src/format or src/net.',
      { path: '^(?!office/)', pathNot: TESTS },
      { path: '^office/' },
    ),
    rule(
      'office-knows-no-shop',
      'The office imports ui, format, net, writes and page-storage of the app, and nothing that knows a noun of the shop.',
      { path: '^office/', pathNot: TESTS },
      {
        path: '^(server|importer|demo|sandbox|sw|tools|src/(?!ui/|format/|net/|writes/|storage/page-storage))',
        pathNot: '^tools/(icon-weights|named-windows)\\.ts$',
      },
    ),
    rule(
      'office-takes-contract-as-types',
      'Schema code must not reach the bundle: import types of the contract, and values only from permissions and the files without schemas.',
      { path: '^office/', pathNot: TESTS },
      {
        path: '^contract/(?!calculations/|durations|finished|limits|messages|plans|view-handover|office/(permissions|[a-z]+-(states|groups)))',
        dependencyTypesNot: ['type-only'],
      },
    ),
    rule(
      'office-screens-are-strangers',
      'What two screens share is in office/ui, office/list, office/shell or office/session.',
      { path: '^office/screens/([^/]+)/', pathNot: TESTS },
      { path: '^office/screens/', pathNot: '^office/screens/$1/' },
    ),
    rule(
      'office-parts-know-no-screen',
      'ui, list, session and net are below the screens; only routes.tsx knows them.',
      { path: '^office/(ui|list|session|net|shell)/', pathNot: TESTS },
      { path: '^office/(screens/|routes|main)' },
    ),
    rule(
      'server-knows-no-importer',
      'The importer, the analysis and the demo depend on the server. Only main.ts loads them, and passes the importer in.',
      { path: '^server/', pathNot: [TESTS, '^server/main\\.ts$'] },
      { path: '^(importer|analysis|demo)/' },
    ),
    rule(
      'analysis-runs-in-no-request',
      'The analysis knows the database and the media store: no HTTP, no other module but the contract, and of the features only how the shop is told that a title changed.',
      { path: '^analysis/', pathNot: TESTS },
      {
        path: '^(importer|demo|src|sw|office|sandbox|server/(?!db/|integrations/media/|commands/|settings/|backup/progress|features/catalogue/queries|shop\\.ts))',
      },
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
      'dexie-lives-in-storage',
      'Data of the device goes through src/storage and src/sync.',
      { path: '^(src|sw)/', pathNot: ['^src/(storage|sync)/', TESTS] },
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
