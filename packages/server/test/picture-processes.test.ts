import { globSync, readFileSync } from 'node:fs'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { openDecoder, type Decoder } from '../src/pictures/decoder.ts'
import { photograph } from './pictures.ts'

async function openPictureDecoder(
  options: { memoryMax?: number; idleMs?: number } = {},
): Promise<{ decoder: Decoder; crashes: string[] }> {
  const crashes: string[] = []
  const onCrash = ({ message }: Error) => void crashes.push(message)
  const decoder = await openDecoder({ onCrash, ...options })
  if (decoder instanceof Error) throw decoder
  onTestFinished(decoder.close)
  return { decoder, crashes }
}

/** The processes of this one that decode (proc_pid_stat(5)). */
function decoders(): number[] {
  return globSync('/proc/[0-9]*/cmdline').flatMap((file) => {
    try {
      const isDecoder = readFileSync(file, 'utf8').includes('decoder-process.ts')
      const stat = readFileSync(file.replace('cmdline', 'stat'), 'utf8')
      const [, parent] = /\) \S (\d+) /.exec(stat) ?? []
      return isDecoder && Number(parent) === process.pid ? [Number(file.split('/')[2])] : []
    } catch {
      // It has ended meanwhile.
      return []
    }
  })
}

test('a process serves one picture after the other, and others at the same time', async () => {
  const { decoder } = await openPictureDecoder()
  const photo = await photograph({ width: 300, height: 200 })
  for (let count = 0; count < 3; count += 1) {
    using opened = await decoder.open(photo)
    expect((await sharp(await opened.shrink(96)).metadata()).width).toBe(96)
    expect(decoders()).toHaveLength(1)
  }
  using first = await decoder.open(photo)
  using second = await decoder.open(photo)
  expect(decoders()).toHaveLength(2)
  const both = await Promise.all([first.shrink(96), second.shrink(96)])
  expect(both[0].equals(both[1])).toBe(true)
})

test('a picture that ends its process is one that cannot be read, and the next one can', async () => {
  const { decoder, crashes } = await openPictureDecoder()
  const photo = await photograph({ width: 300, height: 200 })
  {
    using opened = await decoder.open(photo)
    const [pid] = decoders()
    process.kill(pid!, 'SIGSEGV')
    await expect(opened.shrink(96)).rejects.toMatchObject({ code: 'PICTURE_UNREADABLE' })
  }
  expect(crashes).toEqual(['its process has ended (SIGSEGV)'])
  using next = await decoder.open(photo)
  expect((await next.shrink(96)).length).toBeGreaterThan(0)
})

test('a picture that takes more memory than a process may have is refused', async () => {
  const { decoder, crashes } = await openPictureDecoder({ memoryMax: 180e6 })
  const flat = { width: 5000, height: 4000, channels: 3, background: '#357' } as const
  const avif = await sharp({ create: flat }).avif({ effort: 0 }).toBuffer()
  {
    using opened = await decoder.open(avif)
    await expect(opened.shrink(96)).rejects.toMatchObject({ code: 'PICTURE_TOO_LARGE' })
  }
  expect(crashes).toEqual([])
  using next = await decoder.open(await photograph({ width: 300, height: 200 }))
  expect((await next.shrink(96)).length).toBeGreaterThan(0)
})

test('a process without work ends, and one that has ended before is let be', async () => {
  const { decoder, crashes } = await openPictureDecoder({ idleMs: 200 })
  const photo = await photograph({ width: 300, height: 200 })
  const use = async () => {
    using opened = await decoder.open(photo)
    await opened.shrink(96)
    return decoders()[0]!
  }
  await use()
  await expect.poll(decoders).toEqual([])
  process.kill(await use(), 'SIGKILL')
  // At once: it is not known yet that the process has ended.
  await use()
  await expect.poll(decoders).toEqual([])
  expect(crashes.length).toBeLessThan(2)
})

test('closing the decoder aborts a picture that is being made, and ends all processes', async () => {
  const { decoder, crashes } = await openPictureDecoder()
  using opened = await decoder.open(await photograph({ width: 4000, height: 3000 }))
  const picture = opened.shrink(96)
  decoder.close()
  await expect(picture).rejects.toMatchObject({ code: 'OVERLOADED' })
  await expect.poll(decoders).toEqual([])
  expect(crashes).toEqual([])
})
