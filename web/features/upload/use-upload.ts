import { use } from 'react';
import { useStore } from 'zustand';
import { UploadContext } from './upload-context.tsx';
import type { UploadState } from './upload-state.ts';
import { Upload } from './upload-store.ts';

export function useUpload(): Upload {
  const holder = use(UploadContext);
  if (holder === null) throw new Error('The page is not inside an UploadProvider.');
  return (holder.upload ??= new Upload());
}

export function useUploadState(): UploadState {
  return useStore(useUpload().store);
}
