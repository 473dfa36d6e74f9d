import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconDownload } from '@tabler/icons-react'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { saveBlob } from '../../ui/blob-url.ts'

type Props = {
  content: () => Promise<Blob>
  fileName: string
  label?: string
  disabled?: boolean
}

/** Saves what a call answers as a file. Not a plain link, as the call needs a token. */
export function DownloadButton({ content, fileName, label = 'Download', disabled }: Props) {
  const download = useMutation({
    mutationFn: content,
    onSuccess: (blob) => saveBlob(blob, fileName),
    onError: (error) => console.error('The content of an item could not be loaded', error),
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-md"
        leftSection={<IconDownload size={15} aria-hidden />}
        disabled={download.isPending || disabled === true}
        onClick={() => download.mutate()}
      >
        {label}
      </Button>
      {download.error !== null && (
        <ErrorBox error={download.error} onRetry={() => download.mutate()} />
      )}
    </>
  )
}
