import { expect, type Page } from '@playwright/test'

/** Downloads a title from the open screen with its download button, and waits until it is complete. */
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
