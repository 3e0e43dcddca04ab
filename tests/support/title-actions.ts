import { expect, type Page } from '@playwright/test'

/** Downloads a title of the screen that is open, by its ring, and waits until it is whole. */
export async function download(page: Page, title: string): Promise<void> {
  await askForDownload(page, title)
  await expectDownloaded(page, title)
}

export const askForDownload = (page: Page, title: string): Promise<void> =>
  page
    .getByRole('main')
    .getByRole('button', { name: `Download ${title}`, exact: true })
    .click()

export const expectDownloaded = (page: Page, title: string): Promise<void> =>
  expect(page.getByRole('button', { name: `Downloaded, remove ${title}` })).toBeVisible({ timeout: 90_000 })
