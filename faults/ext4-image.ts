import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Says why an image cannot be mounted; undefined where it can. */
export function lacksExt4(): string | undefined {
  const image = new Ext4Image(16)
  try {
    image.mount()
    image.unmount()
    return undefined
  } catch (error) {
    const said = (error as { stderr?: Buffer }).stderr ?? String(error)
    return `an ext4 image cannot be mounted: ${String(said).trim()}`
  } finally {
    image.remove()
  }
}

/** A file system of its own in a file, which can be copied as a power cut would leave it. */
export class Ext4Image {
  readonly #base = mkdtempSync(join(tmpdir(), 'vitrine-ext4-'))
  readonly #image = join(this.#base, 'image')
  readonly folder = join(this.#base, 'mounted')

  constructor(sizeMib: number) {
    mkdirSync(this.folder)
    writeFileSync(this.#image, '')
    truncateSync(this.#image, sizeMib * 1024 ** 2)
    execFileSync('mkfs.ext4', ['-q', '-F', this.#image], { stdio: 'pipe' })
  }

  mount(): void {
    execFileSync('mount', ['-o', 'loop', this.#image, this.folder], { stdio: 'pipe' })
  }

  unmount(): void {
    execFileSync('umount', [this.folder], { stdio: 'pipe' })
  }

  /** Lets all that was written so far reach the disk. */
  sync(): void {
    execFileSync('sync', ['-f', this.folder], { stdio: 'pipe' })
  }

  /** Copies what reached the disk so far, without what still waits in the page cache. */
  copyAsCut(): void {
    copyFileSync(this.#image, `${this.#image}.cut`)
  }

  /** Takes the place of the mounted image by its copy; what was written since is gone. */
  becomeCopy(): void {
    this.unmount()
    copyFileSync(`${this.#image}.cut`, this.#image)
    this.mount()
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true })
  }
}
