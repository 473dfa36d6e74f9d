import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type SmallDisk = { folder: string; unmount: () => void }

/** A disk of so many MiB; undefined, with a warning, where this account may not mount one. */
export function mountSmallDisk(sizeMib: number): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'))
  try {
    const options = ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder]
    execFileSync('mount', options, { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    const said = String((error as { stderr?: Buffer }).stderr ?? error).trim()
    console.warn(`tests of a full disk are skipped: ${said}`)
    return undefined
  }
  const unmount = () => {
    execFileSync('umount', [folder])
    rmSync(folder, { recursive: true })
  }
  return { folder, unmount }
}
