import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mails } from '#server/db/schema/mails.ts'
import { refunds } from '#server/db/schema/orders.ts'
import { runJob } from '#server/jobs/run-job.ts'
import { testShop, type TestShop } from '#tests/support/shop.ts'

const TOKEN = 'a-token-of-prometheus'
let shop: TestShop
let url: string

beforeAll(async () => {
  shop = await testShop({ env: { DEMO: '0', METRICS_TOKEN: TOKEN } })
  url = await shop.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => shop.close())

const metrics = async (headers: Record<string, string> = {}) => {
  const answer = await fetch(`${url}/metrics`, { headers })
  return { status: answer.status, text: await answer.text() }
}

test('metrics are for direct requests from this machine, and for clients with the token', async () => {
  const forwarded = { 'x-forwarded-for': '203.0.113.7' }
  expect((await metrics()).status).toBe(200)
  expect((await metrics(forwarded)).status).toBe(404)
  expect((await metrics({ ...forwarded, authorization: 'Bearer another-token' })).status).toBe(404)
  expect((await metrics({ ...forwarded, authorization: `Bearer ${TOKEN}` })).status).toBe(200)
})

test('requests are counted by route and status; waiting work is counted when metrics are requested', async () => {
  await fetch(`${url}/api/audio_books/nobody-wrote-this`)
  const now = shop.clock.now()
  await shop.db.insert(mails).values({
    key: 'a',
    kind: 'x',
    recipient: 'a@b.example',
    data: {},
    queuedAt: new Date(now.getTime() - 90_000),
  })
  const refund = { reason: 'owner' as const, nextTryAt: now, createdAt: now, updatedAt: now }
  await shop.db.insert(refunds).values([
    { ...refund, key: 'r1', amountMinor: 700, state: 'asked' },
    { ...refund, key: 'r2', amountMinor: 300, state: 'refused' },
    { ...refund, key: 'r3', amountMinor: 900, state: 'sent' },
  ])
  const stop = await runJob(shop, {
    name: 'a-job',
    firstInMs: 0,
    sharesWork: true,
    pauseMs: () => 1e6,
    run: async () => undefined,
  })
  await expect
    .poll(async () => (await metrics()).text)
    .toContain(`murmur_job_last_success_timestamp_seconds{job="a-job"} ${now.getTime() / 1000}`)
  await stop()
  const { text } = await metrics()
  expect(text).toMatch(
    /http_request_duration_seconds_count\{method="GET",route="\/api\/audio_books\/:slug",status="404"\} 1/,
  )
  expect(text).toMatch(
    /http_request_duration_seconds_bucket\{le="\+Inf",method="GET",route="\/api\/audio_books\/:slug",status="404"\} 1/,
  )
  for (const line of [
    'murmur_database_up 1',
    'murmur_mail_waiting 1',
    'murmur_mail_oldest_seconds 90',
    'murmur_refunds_owed 2',
    'murmur_refunds_owed_pence 1000',
    'murmur_feed_connections 0',
    'murmur_todo{kind="job"} 0',
  ])
    expect(text.split('\n')).toContain(line)
  expect(text).toMatch(/murmur_disk_free_bytes \d{7,}/)
  expect(text).toMatch(/nodejs_eventloop_lag_p99_seconds \d/)
})

test('if the database query fails, the metrics report it and include everything else', async () => {
  await shop.db.execute(sql`alter table mails rename to away`)
  const { status, text } = await metrics()
  await shop.db.execute(sql`alter table away rename to mails`)
  expect(status).toBe(200)
  expect(text).toContain('murmur_database_up 0')
  expect(text).toContain('http_request_duration_seconds_count')
  expect(text).not.toContain('murmur_mail_waiting')
})
