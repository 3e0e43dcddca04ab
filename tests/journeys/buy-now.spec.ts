// Covers: checkout, payments, orders, catalogue
import { expect, test } from '#tests/support/journey.ts'
import {
  answerBank,
  agree,
  buyerAtCheckout,
  CARD,
  chargesAt,
  main,
  ordersOf,
  payNow,
  putIntoBag,
  shelfOf,
  thanked,
  typeCard,
} from '#tests/support/checkout-page.ts'
import { expectAccessible } from '#tests/support/accessible.ts'

test('paying: the second book takes one press and no field, and the checkout opens only if the bank asks', async ({
  shop,
  device,
}) => {
  const page = await buyerAtCheckout({ shop, device })
  await typeCard(page, CARD.good)
  await page.getByRole('checkbox', { name: /^Save this card for next time/ }).check()
  await agree(page)
  await payNow(page).click()
  await thanked(page)
  const charged = (await chargesAt(shop.sandbox)).length

  await page.goto('/audiobooks/eleven-hour-crossing')
  const buy = main(page).getByRole('button', { name: /^Buy now, £\d+(\.\d\d)? · Visa ending 4242$/ })
  await expect(buy).toBeVisible()
  await expect(main(page).getByText('It’s yours at once, so you can’t cancel afterwards.')).toBeVisible()
  await expectAccessible(page)
  const address = page.url()
  await buy.dblclick()
  await expect(
    main(page)
      .getByRole('button', { name: /^(Play|Start|Listen)/ })
      .first(),
  ).toBeVisible()
  await expect(buy).toHaveCount(0)
  // What plays goes on, because no page was opened; and the provider's script wasn't loaded.
  expect(page.url()).toBe(address)
  expect(await page.evaluate(() => 'Stripe' in window)).toBe(false)
  expect(await chargesAt(shop.sandbox)).toHaveLength(charged + 1)
  expect(await ordersOf(page)).toHaveLength(2)
  expect(await shelfOf(page)).toContain('audiobooks/eleven-hour-crossing')

  await test.step('a whole bag', async () => {
    await putIntoBag(page, '/audiobooks/low-light')
    await page.goto('/shopping-bag')
    const pay = main(page).getByRole('button', { name: /^Pay now, £\d+\.\d\d · Visa ending 4242$/ })
    await expect(pay).toBeVisible()
    await expectAccessible(page)
    await pay.dblclick()
    await thanked(page)
    expect(await chargesAt(shop.sandbox)).toHaveLength(charged + 2)
  })
  await test.step('the bank asks', async () => {
    for await (const { customer } of shop.sandbox.payments.listPayments({})) {
      if (!customer) continue
      for (const { id } of await shop.sandbox.billing.customers.cards(customer))
        await shop.sandbox.control(`payment_methods/${id}`, { bank: 'authenticate' })
      break
    }
    await page.goto('/audiobooks/one-hour-island')
    await buy.click()
    await answerBank(page, 'Fail authentication')
    await expect(page).toHaveURL(/\/audiobooks\/one-hour-island$/)
    await expect(
      page.getByText('Your bank couldn’t confirm that it was you. Nothing has been charged.'),
    ).toBeVisible()
    await buy.click()
    await answerBank(page, 'Complete authentication')
    await thanked(page)
    expect(await ordersOf(page)).toHaveLength(4)
  })
})
