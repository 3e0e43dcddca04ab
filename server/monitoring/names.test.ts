import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { testShop, type TestShop } from '#tests/support/shop.ts'
import { metricsText } from './metrics-route.ts'
import { todoList } from '../checks/todo.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0' } })
})
afterAll(() => shop.close())

interface Rules {
  readonly groups: readonly [{ readonly rules: readonly { readonly alert: string; readonly expr: string }[] }]
}
const read = (file: string) => readFileSync(`docs/operations/${file}`, 'utf8')
const { rules } = (parse(read('deployment/alerts.yml')) as Rules).groups[0]

test('alerts and the dashboard only use existing metrics, and every metric of ours is on the dashboard', async () => {
  const text = await metricsText(
    shop,
    todoList(shop, async () => []),
  )()
  const existing = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!)
  const asked = (where: string) =>
    [...where.matchAll(/\b(?:murmur|http|nodejs|process)_\w+/g)].map(([name]) =>
      name.replace(/_(?:bucket|sum|count)$/, ''),
    )
  const dashboard = JSON.parse(read('deployment/dashboard.json')) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[]
  }
  const shown = dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => asked(expr)))
  for (const name of [...rules.flatMap(({ expr }) => asked(expr)), ...shown]) expect(existing).toContain(name)
  const elsewhere = [
    'murmur_cached_answers',
    'murmur_database_up',
    'murmur_webhook_last_timestamp_seconds',
    'murmur_job_last_success_timestamp_seconds',
  ]
  const ours = existing.filter((name) => /^(?:murmur|http)_/.test(name))
  expect(ours.filter((name) => !shown.includes(name) && !elsewhere.includes(name))).toEqual([])
})

test('docs/operations/monitoring.md says for each of the ten alerts what to do', () => {
  const document = read('monitoring.md')
  expect(rules).toHaveLength(10)
  for (const { alert } of rules) expect(document).toContain(`| **${alert}** | `)
})
