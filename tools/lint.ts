import { execFileSync } from 'node:child_process'
import { cycleIn } from './cycle-in.ts'
import { run } from './run.ts'

/**
 * Checks formatting, lint rules with types, and import rules. A warning fails like an error. With files as arguments,
 * the first two check only those files.
 */
const bin = (name: string) => `node_modules/.bin/${name}`
const files = process.argv.slice(2)
const code = files.filter((file) => /\.tsx?$/.test(file))

await run(bin('oxfmt'), ['--check', '--no-error-on-unmatched-pattern', ...files])
if (files.length === 0 || code.length > 0)
  await run(bin('oxlint'), ['--type-aware', '--deny-warnings', '--format', 'stylish', ...code])
checkImports()

function checkImports(): void {
  const modules = [
    'contract',
    'server',
    'importer',
    'analysis',
    'demo',
    'src',
    'office',
    'sw',
    'sandbox',
    'bench',
    'tools',
  ].filter((folder) => folderExists(folder))
  const report = cruise(modules)
  // Fail if almost nothing was read: a broken checker must not pass silently.
  if (report.summary.totalCruised < 100 || report.summary.totalDependenciesCruised < 100)
    fail(`The import rules checked only ${report.summary.totalCruised} files: the check itself is broken.`)
  for (const { from, to, rule, comment } of report.summary.violations)
    console.error(`${from} → ${to}: ${rule.name}. ${comment ?? ''}`)
  if (report.summary.violations.length > 0)
    fail(`${report.summary.violations.length} import rules are broken.`)
  const cycle = cycleIn(featuresOfApp(report))
  if (cycle) fail(`Features of the app import each other in a cycle: ${cycle.join(' → ')}`)
}

/** Which features of the app import which others, without tests. */
function featuresOfApp({ modules }: Report): Record<string, string[]> {
  const featureOf = (path: string) => /^src\/features\/([^/]+)\//.exec(path)?.[1]
  const imports: Record<string, string[]> = {}
  for (const { source, dependencies } of modules) {
    const feature = featureOf(source)
    if (feature === undefined || /\.test\.tsx?$/.test(source)) continue
    const others = dependencies.flatMap(({ resolved }) => featureOf(resolved) ?? [])
    imports[feature] = [...(imports[feature] ?? []), ...others.filter((other) => other !== feature)]
  }
  return imports
}

interface Report {
  modules: { source: string; dependencies: { resolved: string }[] }[]
  summary: {
    totalCruised: number
    totalDependenciesCruised: number
    violations: { from: string; to: string; rule: { name: string }; comment?: string }[]
  }
}

function cruise(modules: readonly string[]): Report {
  const output = execFileSync(
    process.execPath,
    [bin('depcruise'), '--config', 'tools/import-rules.cjs', '--output-type', 'json', ...modules],
    {
      maxBuffer: 256 * 1024 * 1024,
      encoding: 'utf8',
    },
  )
  return JSON.parse(output)
}

function folderExists(folder: string): boolean {
  return process.getBuiltinModule('node:fs').existsSync(folder)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
