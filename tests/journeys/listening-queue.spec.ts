// Covers: library, queue, player
import { main } from '#tests/support/checkout-page.ts'
import { expect, PHONE, test } from '#tests/support/journey.ts'

const SHELF = 'shelf@murmur.example'

test('listening: titles are added to the queue from any card, reordered by dragging and by keys, and synced to another device', async ({
  device,
}) => {
  const page = await (await device({ viewport: PHONE, of: SHELF })).newPage()
  await page.goto('/library')
  const queued = async (title: string, how: 'Play next' | 'Add to queue') => {
    await page.getByRole('searchbox', { name: 'Search your library' }).fill(title)
    const more = page.getByRole('button', { name: `More for ${title}` }).first()
    await more.click()
    await page.getByRole('menuitem', { name: how }).click()
    // The closed menu gives the focus back; a search that is typed before would lose its selection.
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(more).toBeFocused()
  }
  await queued('Tin Whistle Winter', 'Add to queue')
  await queued('Four Hundred Keys', 'Add to queue')
  await queued('The Night Baker', 'Play next')
  await page.getByRole('button', { name: 'What comes next: 3 titles' }).click()
  const sheet = page.getByRole('dialog', { name: 'What comes next' })
  const order = () => sheet.getByRole('list').getByRole('listitem')
  await expect(order()).toContainText(['The Night Baker', 'Tin Whistle Winter', 'Four Hundred Keys'])

  const grip = (title: string) => sheet.getByRole('button', { name: `Move or remove ${title}` })
  await grip('Four Hundred Keys').focus()
  await page.keyboard.press('Enter')
  // The menu focuses its first entry when it has opened.
  await expect(page.getByRole('menuitem', { name: 'Next' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('menuitem', { name: 'Up' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(order()).toContainText(['The Night Baker', 'Four Hundred Keys', 'Tin Whistle Winter'])
  await expect(page.getByText('Four Hundred Keys, 2 of 3')).toBeAttached()

  const [from, to] = [
    await grip('Tin Whistle Winter').boundingBox(),
    await grip('The Night Baker').boundingBox(),
  ]
  await page.mouse.move(from!.x + 20, from!.y + 20)
  await page.mouse.down()
  await page.mouse.move(to!.x + 20, to!.y + 10, { steps: 8 })
  await page.mouse.up()
  const dragged = ['Tin Whistle Winter', 'The Night Baker', 'Four Hundred Keys']
  await expect(order()).toContainText(dragged)

  await page.context().setOffline(true)
  // Rows become higher when they say so; a menu that is open then moves with its row.
  await expect(order().first()).toContainText('needs a connection')
  await grip('The Night Baker').click()
  // The menu takes the focus when it has opened.
  await expect(page.getByRole('menu')).toBeFocused()
  await page.getByRole('menuitem', { name: 'Remove' }).click()
  await expect(order()).toHaveText([/Tin Whistle Winter/, /Four Hundred Keys/])
  const sent = page.waitForResponse((answer) =>
    Boolean(answer.request().postData()?.includes('"removed":true')),
  )
  await page.context().setOffline(false)
  await sent

  const other = await (await device({ of: SHELF })).newPage()
  await other.goto('/library')
  await main(other).getByRole('button', { name: 'What comes next: 2 titles' }).click()
  await expect(other.getByRole('dialog').getByRole('list').getByRole('listitem')).toContainText([
    'Tin Whistle Winter',
    'Four Hundred Keys',
  ])
})
