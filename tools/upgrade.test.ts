import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'murmur-upgrade-'))
afterAll(() => rmSync(home, { recursive: true }))
const env = join(home, 'murmur.env')
const repository = join(home, 'repository')
const upgrade = () =>
  spawnSync(process.execPath, ['tools/upgrade.ts', 'v9.9.9', '--home', home, '--env', env], {
    encoding: 'utf8',
  })
const git = (...args: string[]) =>
  execFileSync('git', ['-C', repository, '-c', 'user.name=Ida', '-c', 'user.email=ida@post.example', ...args])

test('refuses an upgrade without settings, without a repository or to an unknown release, each in one sentence', () => {
  expect(upgrade()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/^Can't read the settings from \S+murmur\.env\. Copy .+--env\.\n$/),
  })
  writeFileSync(env, 'DRAIN_SECONDS=15\n')
  expect(upgrade().stderr).toMatch(/^There is no repository in \S+\. Clone it there first/)
  mkdirSync(repository)
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', 'Begin')
  expect(upgrade().stderr).toMatch(
    /^There is no release v9\.9\.9 in \S+\. It has no tags\. Use a commit, such as [0-9a-f]+\.\n$/,
  )
  git('tag', 'v0.1.0')
  expect(upgrade()).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(
      /^There is no release v9\.9\.9 in \S+\. The newest releases are v0\.1\.0\.\n$/,
    ),
  })
})
