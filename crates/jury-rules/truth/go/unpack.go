package unpack

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
)

func unzip(src, dest string) error {
	r, err := zip.OpenReader(src)
	if err != nil {
		return err
	}
	defer r.Close()
	for _, f := range r.File {
		target := filepath.Join(dest, f.Name)
		if f.FileInfo().IsDir() {
			continue
		}
		out, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		out.Close()
	}
	return nil
}

func unzipSafe(src, dest string) error {
	r, err := zip.OpenReader(src)
	if err != nil {
		return err
	}
	for _, f := range r.File {
		target := filepath.Join(dest, f.Name)
		if !strings.HasPrefix(target, filepath.Clean(dest)+string(os.PathSeparator)) {
			return errors.New("outside")
		}
		out, err := os.OpenFile(target, os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		out.Close()
	}
	return nil
}

func untar(in io.Reader, dest string) error {
	tr := tar.NewReader(in)
	for {
		hdr, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		f, err := os.Create(dest + "/" + hdr.Name)
		if err != nil {
			return err
		}
		f.Close()
	}
}

func untarLocal(in io.Reader, dest string) error {
	tr := tar.NewReader(in)
	for {
		hdr, err := tr.Next()
		if err != nil {
			return err
		}
		name := hdr.Name
		if !filepath.IsLocal(name) {
			continue
		}
		f, err := os.Create(filepath.Join(dest, name))
		if err != nil {
			return err
		}
		f.Close()
	}
}

func inflate(in io.Reader, out io.Writer) error {
	zr, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, zr)
	return err
}

func inflateSome(in io.Reader, out io.Writer) error {
	zr, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	_, err = io.CopyN(out, zr, 10<<20)
	return err
}
